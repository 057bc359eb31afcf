import type { Writable } from 'node:stream';
import type { EarlySighup } from './early-sighup.js';

/** The process's surroundings, as commands see them. */
export interface Io {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How the user has called the command line: `npx platen`. */
  readonly program?: string;
  /** Signals that came before the command was known; absent if there is no such early listener. */
  readonly hangup?: EarlySighup;
}
