import {
  CORE_PARAMS,
  createKernel,
  readVersionAhead,
  selectPlugins,
  type DiscoveredPlugin,
  type Kernel,
  type LoadedPlugin,
  type Logger,
} from '@platen/kernel';
import type { Fragments } from '@platen/schema';
import { BASE_FLAGS, collectFlags, type FlagSet } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { NO_CONFIG, readConfig, type ConfigFile } from '../flags/read-config.js';
import { originOf, readFileKeys, resolveFlags, secretFiles, type FlagSources } from '../flags/resolve-flags.js';
import { UsageError } from '../flags/usage-error.js';
import { createLog } from '../log/create-log.js';
import type { FlagValues } from '../service/hooks.js';
import { assertKnown } from './unknown-flag.js';
import { assertOutputs, type Catalog } from './catalog.js';
import type { Io } from './io.js';
import { readRequest } from './request-options.js';
import { neededPlugins } from './needed-plugins.js';
import { refuseFiles } from './unknown-argument.js';

/** The choices of a command line: the enabled plugins, with their flags and keys. */
export interface Inventory {
  readonly found: readonly DiscoveredPlugin[];
  readonly enabled: readonly DiscoveredPlugin[];
  readonly loaded: readonly LoadedPlugin[];
  /** Optional plugins that cannot be loaded, each with its `fault`; they are among the absent ones. */
  readonly broken: readonly DiscoveredPlugin[];
  readonly absent: readonly DiscoveredPlugin[];
  readonly flagSet: FlagSet;
  /** Fragments of every request key. */
  readonly keys: Fragments;
  readonly serving: boolean;
  readonly config: ConfigFile;
}

/** A parsed command line: plugins found and loaded, flags resolved, request keys separated. */
export interface Boot extends Pick<Inventory, 'found' | 'loaded' | 'broken' | 'flagSet' | 'keys'> {
  /** Values of startup flags, by flag name without dashes in front. */
  readonly flags: FlagValues;
  /** Sources of the values. */
  readonly sources: FlagSources;
  /** The request's parameters except its URL. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  /** Positionals that the preceding option might have been meant to take, each with the option's name. */
  readonly misplaced: ReadonlyMap<string, string>;
  /** Names of the startup flags on the command line itself. */
  readonly spoken: readonly string[];
  readonly log: Logger;
  /** The other files that flags are read from: the config file and secret files. */
  readonly flagFiles: readonly string[];
  /** Creates a kernel that logs to `log`; by default, to the log of the command line. */
  createKernel(log?: Logger): Kernel;
  /**
   * Reads the flags again, from the same sources as at first. Before any value is checked, it calls the callback with the files that are
   * now read.
   */
  rereadFlags(onFiles: (files: readonly string[]) => void): Promise<FlagValues>;
}

/**
 * Reads the command line twice, because the plugins define the flags. The first pass reads only the flags that name plugins and the config
 * file; all values are checked once the plugins are loaded.
 */
export async function boot(args: readonly string[], io: Io, catalog: Catalog): Promise<Boot> {
  return await bootWith(await takeInventory(args, io, catalog), args, io);
}

/** The same for a start: flags without a URL imply `--server`. */
export async function bootStart(args: readonly string[], io: Io, catalog: Catalog): Promise<Boot> {
  return await bootAll(await surveyPlugins(args, io, catalog));
}

/** For a start, with all plugins. */
export async function bootAll(survey: Survey): Promise<Boot> {
  const { args, io } = survey;
  const inventory = await loadInventory(survey);
  if (inventory.serving || !impliesServer(args, inventory, io)) return await bootWith(inventory, args, io);
  return await bootServing(inventory, args, io);
}

/** The same for a command that serves: its arguments are the flags of a server. */
export async function bootServer(args: readonly string[], io: Io, catalog: Catalog): Promise<Boot> {
  return await bootServing(await takeInventory(args, io, catalog), args, io);
}

function bootServing(inventory: Inventory, args: readonly string[], io: Io): Promise<Boot> {
  return bootWith({ ...inventory, serving: true }, ['--server', ...args], io);
}

/** The arguments are flags without a URL, and no source sets `server` to off. */
function impliesServer(args: readonly string[], { flagSet, keys, config }: Inventory, { environment }: Io): boolean {
  const { options, positionals } = parseArguments(args, optionNames(flagSet, keys));
  const server = flagSet.get('server');
  if (options.length === 0 || positionals.length > 0 || server === undefined) return false;
  return originOf(server, { options, environment, file: config.values }) === 'default';
}

async function bootWith(inventory: Inventory, args: readonly string[], io: Io): Promise<Boot> {
  const { found, enabled, loaded, broken, absent, flagSet, keys, serving, config: read } = inventory;
  const given = parseArguments(args, optionNames(flagSet, serving ? {} : keys));
  const { request: raw, options } = readRequest(given.options, serving ? {} : keys);
  refuseFiles(raw, { keys, loaded });
  const sources: FlagSources = { options, environment: io.environment, file: read.values, lines: read.lines };
  const known = { flagSet, keys, loaded, absent, serving };
  assertKnown(sources, known);
  const flags = await resolveFlags(flagSet, sources);
  const request = await readFileKeys(raw, { flagSet, keys });
  const config = textOf(flags.config);
  const filesOf = (from: FlagSources) => [...(config === undefined ? [] : [config]), ...secretFiles(flagSet, from)];
  const log = createLog({
    level: textOf(flags['log-level']) ?? (serving ? 'info' : 'silent'),
    stream: serving ? io.stdout : io.stderr,
  });
  return {
    found,
    loaded,
    broken,
    flagSet,
    flags,
    sources,
    keys,
    request,
    positionals: given.positionals,
    misplaced: given.misplaced,
    spoken: options.map(({ name }) => name),
    log,
    flagFiles: filesOf(sources),
    createKernel(other) {
      assertOutputs({ enabled, absent });
      return createKernel({ plugins: loaded, absent, flags, log: other ?? log, ...(serving ? {} : { onSlowPlugins: sayTo(io) }) });
    },
    async rereadFlags(onFiles) {
      const { values, lines } = config === undefined ? NO_CONFIG : await readConfig(config, { again: true });
      const reread = { ...sources, file: values, lines, again: true };
      onFiles(filesOf(reread));
      assertKnown(reread, known);
      const next = await resolveFlags(flagSet, reread);
      // The file may be truncated, or emptied before it is written anew.
      if (serving && next.server !== true) throw new UsageError('the config file no longer contains "server", which started this server');
      return next;
    },
  };
}

/** A single capture logs nothing by default. */
function sayTo({ stderr }: Io): (plugins: readonly string[]) => void {
  return (plugins) => {
    // On a terminal, this line replaces the progress line.
    stderr.write(`${stderr.isTTY === true ? '\r\u001b[K' : ''}platen: plugins are still being prepared: ${plugins.join(', ')}\n`);
  };
}

/** The first pass: checks only the choice of plugins. */
export async function takeInventory(args: readonly string[], io: Io, catalog: Catalog): Promise<Inventory> {
  return await loadInventory(await surveyPlugins(args, io, catalog));
}

/** The choice of plugins, before any is loaded. */
export interface Survey extends Pick<Inventory, 'found' | 'enabled' | 'absent'> {
  readonly args: readonly string[];
  readonly io: Io;
  readonly catalog: Catalog;
  readonly early: Early;
}

/** Reads the config file, which may be a pipe: once for a start. */
export async function surveyPlugins(args: readonly string[], io: Io, catalog: Catalog): Promise<Survey> {
  const early = await resolveEarly(args, io);
  const { extra, only, without } = early;
  const found = await catalog.find({ operatorDir: io.cwd, extra });
  return { args, io, catalog, early, found, ...selectPlugins(found, { only, without }) };
}

/**
 * For a single render: loads only the plugins that it may need. Undefined if that may be all of them, or if it is no single render. An error
 * may lack what the other plugins would say of it.
 */
export async function bootFew(survey: Survey): Promise<Boot | undefined> {
  const { args, io, early, found, enabled } = survey;
  const only = early.serving ? undefined : neededPlugins(enabled, { args, environment: io.environment, config: early.config });
  if (only === undefined) return undefined;
  // The launch needs it: it is read while the plugins are loaded.
  readVersionAhead(early.browserPath);
  const few = selectPlugins(found, { only, without: early.without });
  return await bootWith(await loadInventory({ ...survey, ...few }), args, io);
}

async function loadInventory({ found, enabled, absent: disabled, early: { config, serving }, catalog }: Survey): Promise<Inventory> {
  const { loaded, broken } = await catalog.load(enabled);
  const absent = [...disabled, ...broken, ...catalog.leftOut];
  const keys: Fragments = Object.fromEntries(
    [CORE_PARAMS, ...loaded.map(({ definition }) => definition.params ?? {})].flatMap((params: Fragments) => Object.entries(params)),
  );
  const flagSet: FlagSet = new Map([...collectFlags(loaded)].filter(([name]) => !catalog.withoutFlags.includes(name)));
  const working = enabled.filter((plugin) => !findBroken(broken, plugin));
  return { found, enabled: working, loaded, broken, absent, flagSet, keys, serving, config };
}

/** A discovered plugin as it could not be loaded, with the reason; undefined if it was. Other packages may have plugins of its name. */
export function findBroken(broken: Inventory['broken'], { name, directory }: DiscoveredPlugin): DiscoveredPlugin | undefined {
  return broken.find((plugin) => plugin.name === name && plugin.directory === directory);
}

interface Early {
  readonly config: ConfigFile;
  readonly serving: boolean;
  readonly extra: readonly string[];
  readonly browserPath: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly without: readonly string[];
}

/** Values of the server's own flags, before plugins are discovered. */
export async function resolveBaseFlags(args: readonly string[], names: readonly string[], { environment }: Pick<Io, 'environment'>) {
  const { options } = parseArguments(args, optionNames(BASE_FLAGS, {}));
  const pick = (picked: readonly string[]): FlagSet => new Map([...BASE_FLAGS].filter(([name]) => picked.includes(name)));
  const { config: path } = await resolveFlags(pick(['config']), { options, environment, file: {} });
  const config = typeof path === 'string' ? await readConfig(path) : NO_CONFIG;
  const sources = { options, environment, file: config.values, lines: config.lines };
  return { config, flags: await resolveFlags(pick(names), sources) };
}

async function resolveEarly(args: readonly string[], io: Io): Promise<Early> {
  const { config, flags } = await resolveBaseFlags(args, ['server', 'plugins', 'disable-plugins', 'plugin', 'browser-path'], io);
  return {
    config,
    serving: flags.server === true,
    extra: listOf(flags.plugin) ?? [],
    browserPath: textOf(flags['browser-path']),
    only: listOf(flags.plugins),
    without: listOf(flags['disable-plugins']) ?? [],
  };
}

function listOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
