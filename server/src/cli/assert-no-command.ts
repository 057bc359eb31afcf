import { nearest } from '@platen/schema';
import { UsageError } from './usage-error.js';

/** Likely meanings of mistyped words, by common usage. */
const COMMANDS: Readonly<Record<string, string>> = {
  help: 'platen help',
  plugins: 'platen plugins',
  doctor: 'platen doctor',
  config: 'platen config',
  healthcheck: 'platen healthcheck',
  server: 'platen --server',
  version: 'platen --version',
};

/** A URL has a scheme, a dot or a port. */
export function isWord(text: string): boolean {
  return /^[a-z]+$/i.test(text);
}

interface Known {
  /** The commands of plugins. */
  readonly added: readonly string[];
  /** The error to report if the word was meant for the preceding option. */
  readonly stray: UsageError | undefined;
}

/** Rejects a lone word that is not a URL, instead of loading a host of that name. A word with a scheme or a dot counts as a URL. */
export function assertNoCommand(word: string | undefined, { added, stray }: Known): void {
  if (word === undefined || !/^[\w-]+$/.test(word) || word.toLowerCase() === 'localhost') return;
  if (stray !== undefined) throw stray;
  const commands = { ...Object.fromEntries(added.map((name) => [name, `platen ${name}`])), ...COMMANDS };
  const meant = commands[nearest(word, Object.keys(commands)) ?? ''];
  const hint = meant === undefined ? '`platen --help` lists them.' : `did you mean \`${meant}\`?`;
  throw new UsageError(`there is no command "${word}" here`, `${hint} A host of that name is http://${word}/`);
}
