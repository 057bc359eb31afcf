import { inspect } from 'node:util';
import { CORE_PARAMS, type DiscoveredPlugin, KERNEL_VERSION } from '@platen/kernel';
import { nearest } from '@platen/schema';
import { BASE_FLAGS, SWITCH } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { readSwitch } from '../flags/read-switch.js';
import { misspelledVariables } from '../flags/unknown-flag.js';
import { assertNoCommand, isWord } from './assert-no-command.js';
import { assertNoMore } from './assert-no-more.js';
import { boot, takeInventory, type Boot, type Inventory } from './boot.js';
import type { Catalog } from './catalog.js';
import { checkHealth } from './check-health.js';
import { OWN_COMMANDS } from './own-commands.js';
import { commandsOf, findCommand, formatCommand } from './plugin-commands.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { explainError } from './explain-error.js';
import { formatFlags, formatHelp, formatOneFlag, type Available } from './help.js';
import { formatKeys, formatOneKey } from './help-keys.js';
import { formatAssets, formatPlugins, pluginTopics } from './help-plugins.js';
import type { Io } from './io.js';
import { listPlugins } from './list-plugins.js';
import { reportBroken } from './report-broken.js';
import { runCapture } from './run-capture.js';
import { runServer } from './run-server.js';
import { showConfig } from './show-config.js';
import { strayError } from './stray-value.js';
import { absentPluginError, UsageError } from './usage-error.js';

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
  if (command !== undefined && isWord(command)) io.hangup?.release();
  if (command === 'help') return await help(rest, io, catalog);
  if (isAsked('help', args)) {
    const own = OWN_COMMANDS.find(({ name }) => name === command);
    if (own !== undefined) return print(io, formatCommand(own));
    const found = await available(args, io, catalog);
    const one = commandsOf(found).find(({ name }) => name === command);
    return print(io, one === undefined ? formatHelp(found) : formatCommand(one));
  }
  if (isAsked('version', args)) return print(io, `${KERNEL_VERSION}\n`);
  switch (command) {
    case 'plugins': {
      const booted = await boot(rest, io, catalog);
      assertNoMore(booted.positionals, '`platen plugins` takes flags alone');
      return print(io, listPlugins(booted));
    }
    case 'config':
      return await showConfig(rest, io, catalog);
    case 'healthcheck':
      return await checkHealth(rest, io);
    case 'doctor': {
      const { runDoctor } = await import('../doctor/index.js');
      return await runDoctor(rest, io, catalog);
    }
  }
  const added = command !== undefined && isWord(command) ? await findCommand(command, io, catalog) : undefined;
  if (added !== undefined) return await added.run(rest, io);
  const booted = await boot(args, io, catalog);
  warnOfVariables(booted, io);
  reportBroken(booted, io);
  // What says to serve may stand in the environment or in the config file: only then is there nothing to do without words.
  if (args.length === 0 && booted.flags.server !== true) return print(io, formatHelp(booted));
  const [positional] = booted.positionals;
  if (booted.flags.server !== true) {
    io.hangup?.release();
    const words = commandsOf(booted).map(({ name }) => name);
    assertNoCommand(positional, { added: words, stray: strayError(booted.positionals.slice(0, 1), booted) });
    return await runCapture(booted, io);
  }
  if (positional !== undefined) throw new UsageError(`--server takes no "${positional}"`, 'a server gets its URLs with each request');
  return await runServer(booted, io);
}

/** Whether the switch is on, wherever it stands and whatever else is wrong: `--help`, `-h`, `--help=true`. */
function isAsked(name: 'help' | 'version', args: readonly string[]): boolean {
  const given = parseArguments(args, optionNames(BASE_FLAGS, {})).options.findLast((option) => option.name === name);
  return given !== undefined && readSwitch(given.value ?? 'true', SWITCH) === true;
}

async function help([topic, ...rest]: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  if (topic === undefined) return print(io, formatHelp(await available([], io, catalog)));
  const inventory = await takeInventory(rest, io, catalog);
  assertNoMore(parseArguments(rest, optionNames(inventory.flagSet, inventory.keys)).positionals, '`platen help` takes one topic');
  if (topic === 'flags') return print(io, formatFlags(inventory.flagSet));
  if (topic === 'keys') return print(io, formatKeys(inventory));
  if (topic === 'assets') return print(io, formatAssets(inventory));
  const commands = [...OWN_COMMANDS, ...commandsOf(inventory)];
  const command = commands.find(({ name }) => name === topic);
  // A command and a flag may have the same name: `config`.
  const meant = [
    command === undefined ? undefined : formatCommand(command),
    formatOneKey(topic, inventory) ?? formatPlugins(topic, inventory) ?? formatOneFlag(topic, inventory),
  ].filter((text) => text !== undefined);
  if (meant.length > 0) return print(io, meant.join('\n'));
  const owner = absentOwner(topic, inventory);
  if (owner !== undefined) throw absentPluginError(`"${topic}"`, owner);
  const named = [...commands.map(({ name }) => name), ...Object.keys(inventory.keys), ...inventory.flagSet.keys()];
  const near = nearest(topic, ['flags', 'keys', 'assets', ...named, ...pluginTopics(inventory)]);
  throw new UsageError(
    `there is no help on "${topic}"`,
    near === undefined ? 'try `platen help keys`, `platen help flags` or `platen plugins`' : `did you mean "${near}"?`,
  );
}

/** The plugin of that name, or that has a key, flag or output type of it, which is not there. */
function absentOwner(topic: string, { absent }: Pick<Inventory, 'absent'>): DiscoveredPlugin | undefined {
  const name = topic.replace(/^--/, '');
  return absent.find(
    ({ keys, flags, outputs, name: own }) =>
      [own, ...outputs].includes(name) || keys.includes(name.replaceAll('-', '_')) || flags.includes(name.replaceAll('_', '-')),
  );
}

/** Help must come even where a plugin keeps Platen from starting; then stderr says so. */
async function available(args: readonly string[], io: Io, catalog: Catalog): Promise<Available> {
  try {
    return await takeInventory(args, io, catalog);
  } catch (error) {
    io.stderr.write(explainError(error));
    return { found: [], loaded: [], flagSet: BASE_FLAGS, keys: CORE_PARAMS };
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
