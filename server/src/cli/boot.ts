import {
  CORE_PARAMS,
  createKernel,
  selectPlugins,
  type DiscoveredPlugin,
  type Kernel,
  type LoadedPlugin,
  type Logger,
} from '@platen/kernel';
import type { Fragments } from '@platen/schema';
import { BASE_FLAGS, collectFlags, type FlagSet } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { readConfig } from '../flags/read-config.js';
import { resolveFlags, secretFiles, type FlagSources } from '../flags/resolve-flags.js';
import { assertKnown } from '../flags/unknown-flag.js';
import { createLog } from '../log/create-log.js';
import type { FlagValues } from '../service/hooks.js';
import type { Catalog } from './catalog.js';
import type { Io } from './io.js';
import { readRequest } from './request-options.js';

/** What a command line has to choose from: the plugins that it enables, and their flags and keys. */
export interface Inventory {
  readonly found: readonly DiscoveredPlugin[];
  readonly loaded: readonly LoadedPlugin[];
  readonly absent: readonly DiscoveredPlugin[];
  readonly flagSet: FlagSet;
  /** Fragments of every request key. */
  readonly keys: Fragments;
  readonly serving: boolean;
  /** The config file's object. */
  readonly file: Readonly<Record<string, unknown>>;
}

/** A command line, understood: plugins found and loaded, flags resolved, request keys set apart. */
export interface Boot extends Pick<Inventory, 'found' | 'loaded' | 'flagSet' | 'keys'> {
  /** Values of start-up flags, by flag name without dashes in front. */
  readonly flags: FlagValues;
  /** The request's parameters but for its URL. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  /** Names of the start-up flags that stand on the command line itself. */
  readonly spoken: readonly string[];
  readonly log: Logger;
  /** The files that flags are read from besides: the config file and those of secrets. */
  readonly flagFiles: readonly string[];
  createKernel(): Kernel;
  /** Reads the flags again, from the same sources as at first. */
  rereadFlags(): Promise<FlagValues>;
}

/**
 * Reads the command line twice: which plugins there are decides which flags there are, so the flags that name plugins and the
 * config file are picked out first, and everything is judged once the plugins are loaded.
 */
export async function boot(args: readonly string[], io: Io, catalog: Catalog): Promise<Boot> {
  const { found, loaded, absent, flagSet, keys, serving, file } = await takeInventory(args, io, catalog);
  const given = parseArguments(args, optionNames(flagSet, serving ? {} : keys));
  const { request, options } = readRequest(given.options, serving ? {} : keys);
  const sources: FlagSources = { options, environment: io.environment, file };
  assertKnown(sources, { flagSet, keys, absent, serving });
  const flags = await resolveFlags(flagSet, sources);
  const config = textOf(flags.config);
  const log = createLog({
    level: textOf(flags['log-level']) ?? (serving ? 'info' : 'silent'),
    stream: serving ? io.stdout : io.stderr,
  });
  return {
    found,
    loaded,
    flagSet,
    flags,
    keys,
    request,
    positionals: given.positionals,
    spoken: options.map(({ name }) => name),
    log,
    flagFiles: [...(config === undefined ? [] : [config]), ...secretFiles(flagSet, sources)],
    createKernel: () => createKernel({ plugins: loaded, absent, flags, log }),
    async rereadFlags() {
      return await resolveFlags(flagSet, { ...sources, file: config === undefined ? {} : await readConfig(config) });
    },
  };
}

/** The first reading: nothing but the choice of plugins is judged. */
export async function takeInventory(args: readonly string[], io: Io, catalog: Catalog): Promise<Inventory> {
  const { file, serving, extra, only, without } = await resolveEarly(args, io);
  const found = await catalog.find({ operatorDir: io.cwd, extra });
  const { enabled, absent: disabled } = selectPlugins(found, { only, without });
  const absent = [...disabled, ...catalog.leftOut];
  const loaded = await catalog.load(enabled);
  const keys: Fragments = Object.fromEntries(
    [CORE_PARAMS, ...loaded.map(({ definition }) => definition.params ?? {})].flatMap((params: Fragments) => Object.entries(params)),
  );
  return { found, loaded, absent, flagSet: collectFlags(loaded), keys, serving, file };
}

interface Early {
  readonly file: Readonly<Record<string, unknown>>;
  readonly serving: boolean;
  readonly extra: readonly string[];
  readonly only: readonly string[] | undefined;
  readonly without: readonly string[];
}

async function resolveEarly(args: readonly string[], { environment }: Io): Promise<Early> {
  const { options } = parseArguments(args, optionNames(BASE_FLAGS, {}));
  const pick = (...names: readonly string[]): FlagSet => new Map([...BASE_FLAGS].filter(([name]) => names.includes(name)));
  const { config } = await resolveFlags(pick('config'), { options, environment, file: {} });
  const path = textOf(config);
  const file = path === undefined ? {} : await readConfig(path);
  const flags = await resolveFlags(pick('server', 'plugins', 'disable-plugins', 'plugin'), { options, environment, file });
  return {
    file,
    serving: flags.server === true,
    extra: listOf(flags.plugin) ?? [],
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
