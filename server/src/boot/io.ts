import type { Readable, Writable } from 'node:stream';
import type { EarlySighup } from './early-sighup.js';

/** The process's environment, as commands see it. */
export interface Io {
  /** Standard input; absent if there is none. It is opened when it is read. */
  readonly openStdin?: (() => Readable & { readonly isTTY?: boolean }) | undefined;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The command that the user typed: `npx platen`. */
  readonly program?: string;
  /** A SIGHUP that came before the command was known; absent if there is no early listener. */
  readonly hangup?: EarlySighup;
}
