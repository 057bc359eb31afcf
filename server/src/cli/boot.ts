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
import { resolveFlags, type FlagSources } from '../flags/resolve-flags.js';
import { assertKnown } from '../flags/unknown-flag.js';
import { createLog } from '../log/create-log.js';
import type { Catalog } from './catalog.js';
import type { Io } from './io.js';
import { readRequest } from './request-options.js';

/** A command line, understood: plugins found and loaded, flags resolved, request keys set apart. */
export interface Boot {
  readonly found: readonly DiscoveredPlugin[];
  readonly loaded: readonly LoadedPlugin[];
  readonly flagSet: FlagSet;
  /** Values of start-up flags, by flag name without dashes in front. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Fragments of every request key. */
  readonly keys: Fragments;
  /** The request's parameters but for its URL. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  readonly log: Logger;
  createKernel(): Kernel;
}

/**
 * Reads the command line twice: which plugins there are decides which flags there are, so the flags that name plugins and the
 * config file are picked out first, and everything is judged once the plugins are loaded.
 */
export async function boot(args: readonly string[], io: Io, catalog: Catalog): Promise<Boot> {
  const early = await resolveEarly(args, io);
  const found = await catalog.find({ operatorDir: io.cwd, extra: early.extra });
  const { enabled, absent } = selectPlugins(found, { only: early.only, without: early.without });
  const loaded = await catalog.load(enabled);
  const flagSet = collectFlags(loaded);
  const keys: Fragments = Object.fromEntries(
    [CORE_PARAMS, ...loaded.map(({ definition }) => definition.params ?? {})].flatMap((params: Fragments) => Object.entries(params)),
  );

  const given = parseArguments(args, optionNames(flagSet, early.serving ? {} : keys));
  const { request, options } = readRequest(given.options, early.serving ? {} : keys);
  const sources: FlagSources = { options, environment: io.environment, file: early.file };
  assertKnown(sources, { flagSet, keys, absent });
  const flags = await resolveFlags(flagSet, sources);
  const log = createLog({
    level: textOf(flags['log-level']) ?? (early.serving ? 'info' : 'silent'),
    stream: early.serving ? io.stdout : io.stderr,
  });
  return {
    found,
    loaded,
    flagSet,
    flags,
    keys,
    request,
    positionals: given.positionals,
    log,
    createKernel: () => createKernel({ plugins: loaded, absent, flags, log }),
  };
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
