import { inspect } from 'node:util';
import { KERNEL_VERSION } from '@platen/kernel';
import { nearest } from '@platen/schema';
import { BASE_FLAGS, type FlagSet } from '../flags/flag-set.js';
import { misspelledVariables } from '../flags/unknown-flag.js';
import { boot, type Boot } from './boot.js';
import type { Catalog } from './catalog.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { explainError } from './explain-error.js';
import { formatFlags, formatHelp } from './help.js';
import { formatKeys, formatOneKey } from './help-keys.js';
import type { Io } from './io.js';
import { listPlugins } from './list-plugins.js';
import { runCapture } from './run-capture.js';
import { runServer } from './run-server.js';
import { UsageError } from './usage-error.js';

/** The command line. Resolves with the exit code; what went wrong is on stderr. */
export async function main(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  try {
    return await run({ args, io, catalog });
  } catch (error) {
    io.stderr.write(explainError(error));
    if (isDebugging(args, io)) io.stderr.write(`${inspect(error)}\n`);
    return exitCodeOf(error);
  }
}

interface Call {
  readonly args: readonly string[];
  readonly io: Io;
  readonly catalog: Catalog;
}

async function run({ args, io, catalog }: Call): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case 'help':
      return await help(rest, io, catalog);
    case 'plugins':
      return print(io, listPlugins(await boot(rest, io, catalog)));
    case 'doctor': {
      const { runDoctor } = await import('../doctor/index.js');
      return await runDoctor(rest, io, catalog);
    }
  }
  if (args.includes('--help') || args.includes('-h')) return print(io, formatHelp(await availableFlags(io, catalog)));
  if (args.includes('--version') || args.includes('-v')) return print(io, `${KERNEL_VERSION}\n`);
  const booted = await boot(args, io, catalog);
  warnOfVariables(booted, io);
  // What says to serve may stand in the environment or in the config file: only then is there nothing to do without words.
  if (args.length === 0 && booted.flags.server !== true) return print(io, formatHelp(booted.flagSet));
  if (booted.flags.server !== true) return await runCapture(booted, io);
  const [positional] = booted.positionals;
  if (positional !== undefined) throw new UsageError(`--server takes no "${positional}"`, 'a server gets its URLs with each request');
  return await runServer(booted, io);
}

async function help([topic]: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  if (topic === undefined) return print(io, formatHelp(await availableFlags(io, catalog)));
  const booted = await boot([], io, catalog);
  if (topic === 'flags') return print(io, formatFlags(booted.flagSet));
  if (topic === 'keys') return print(io, formatKeys(booted));
  const one = formatOneKey(topic, booted);
  if (one !== undefined) return print(io, one);
  const near = nearest(topic, ['flags', 'keys', ...Object.keys(booted.keys)]);
  throw new UsageError(`there is no help on "${topic}"`, near === undefined ? 'try `platen help keys`' : `did you mean "${near}"?`);
}

/** Help must come even where a plugin keeps Platen from starting. */
async function availableFlags(io: Io, catalog: Catalog): Promise<FlagSet> {
  try {
    return (await boot([], io, catalog)).flagSet;
  } catch {
    return BASE_FLAGS;
  }
}

function warnOfVariables({ flagSet, log }: Boot, { environment }: Io): void {
  for (const [name, near] of misspelledVariables(environment, flagSet))
    log.warn({ variable: name }, `unknown environment variable: did you mean ${near}?`);
}

function isDebugging(args: readonly string[], { environment }: Io): boolean {
  const at = args.indexOf('--log-level');
  return args.includes('--log-level=debug') || (at !== -1 && args[at + 1] === 'debug') || environment.PLATEN_LOG_LEVEL === 'debug';
}

function print({ stdout }: Io, text: string): number {
  stdout.write(text);
  return EXIT.ok;
}
