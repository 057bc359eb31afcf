import { inspect } from 'node:util';
import { isPlatenError, KERNEL_VERSION } from '@platen/kernel';
import { nearest } from '@platen/schema';
import { type Boot, bootAll, bootFew, type Survey, surveyPlugins } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import { explainError } from '../boot/explain-error.js';
import type { Io } from '../boot/io.js';
import { reportBroken } from '../boot/report-broken.js';
import { unknownArgumentError } from '../boot/unknown-argument.js';
import { misspelledVariables } from '../boot/unknown-flag.js';
import { EXIT, exitCodeOf } from '../flags/exit-codes.js';
import { BASE_FLAGS, SWITCH } from '../flags/flag-set.js';
import { optionNames, parseArguments, readSwitch } from '../flags/parse-arguments.js';
import { UsageError } from '../flags/usage-error.js';
import { COMMANDS, commandsOf, findCommand } from './commands.js';
import { help, helpFlag } from './help-command.js';

/** Further words that are mistyped, with what they mean. */
const MEANT: Readonly<Record<string, string>> = { help: 'platen help', server: 'platen --server', version: 'platen --version' };

/** The command line. Resolves with the exit code; errors are on stderr. */
export async function main(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  try {
    return await run({ args, io, catalog });
  } catch (error) {
    io.stderr.write(explainError(error, io.program));
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
  if (command === 'help') return print(io, await help(rest, io, catalog));
  if (isAsked('help', args)) return print(io, await helpFlag(args, io, catalog));
  if (isAsked('version', args)) return print(io, `${KERNEL_VERSION}\n`);
  const own = COMMANDS.find(({ name }) => name === command);
  if (own !== undefined) return await own.run(rest, io, catalog);
  const added = command !== undefined && isWord(command) ? await findCommand(command, io, catalog) : undefined;
  if (added !== undefined)
    return await added.run(rest, { ...io, openServer: async (flags) => (await import('./open-server.js')).openServer(flags, io, catalog) });
  const survey = await surveyPlugins(args, io, catalog);
  const code = await renderByFew(survey);
  if (code !== undefined) return code;
  const booted = await bootAll(survey);
  warnOfVariables(booted, io);
  reportBroken(booted, io);
  // The environment or the config file may enable the server. Only if neither does, a call without arguments shows the help.
  if (args.length === 0 && booted.flags.server !== true) return print(io, await helpFlag(args, io, catalog));
  const [positional] = booted.positionals;
  if (booted.flags.server !== true) {
    io.hangup?.release();
    const words = commandsOf(booted).map(({ name }) => name);
    assertNoCommand(positional, { added: words, unknown: unknownArgumentError(booted.positionals.slice(0, 1), booted) });
    return await (await import('./run-capture.js')).runCapture(booted, io);
  }
  if (positional !== undefined)
    throw new UsageError(`--server does not accept "${positional}"`, 'a server receives its URLs with the requests');
  return await (await import('./run-server.js')).runServer(booted, io);
}

/** Renders with the plugins that the command line names. Undefined: all plugins are needed, be it only to explain a mistake. */
async function renderByFew(survey: Survey): Promise<number | undefined> {
  const { io } = survey;
  const request = { isPlanned: false };
  try {
    const booted = await bootFew(survey);
    if (booted === undefined) return undefined;
    io.hangup?.release();
    assertNoCommand(booted.positionals[0], { added: [], unknown: undefined });
    const { runCapture } = await import('./run-capture.js');
    return await runCapture(booted, io, () => {
      request.isPlanned = true;
    });
  } catch (error) {
    // From then on pages are loaded, which may not be done twice.
    if (request.isPlanned || !isMistake(error)) throw error;
    return undefined;
  }
}

function isMistake(error: unknown): boolean {
  return error instanceof UsageError || (isPlatenError(error) && /^(?:boot_|invalid_parameters$)/.test(error.code));
}

/** Whether the switch is on, at any position and regardless of other errors: `--help`, `-h`, `--help=true`. */
function isAsked(name: 'help' | 'version', args: readonly string[]): boolean {
  const given = parseArguments(args, optionNames(BASE_FLAGS, {})).options.findLast((option) => option.name === name);
  return given !== undefined && readSwitch(given.value ?? 'true', SWITCH) === true;
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

/** A URL has a scheme, a dot or a port. */
function isWord(text: string): boolean {
  return /^[a-z]+$/i.test(text);
}

interface Known {
  /** The commands of plugins. */
  readonly added: readonly string[];
  /** The error to report if the word was meant for the preceding option. */
  readonly unknown: UsageError | undefined;
}

/** Rejects a lone word that is not a URL, instead of loading a host of that name. A word with a scheme or a dot counts as a URL. */
export function assertNoCommand(word: string | undefined, { added, unknown }: Known): void {
  if (word === undefined || word === '-' || !/^[\w-]+$/.test(word) || word.toLowerCase() === 'localhost') return;
  if (unknown !== undefined) throw unknown;
  const words = [...added, ...COMMANDS.map(({ name }) => name)];
  const commands = { ...Object.fromEntries(words.map((name) => [name, `platen ${name}`])), ...MEANT };
  const meant = commands[nearest(word, Object.keys(commands)) ?? ''];
  const hint = meant === undefined ? '`platen --help` lists them.' : `did you mean \`${meant}\`?`;
  throw new UsageError(`there is no command "${word}" here`, `${hint} A host of that name is http://${word}/`);
}
