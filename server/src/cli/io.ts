import type { Writable } from 'node:stream';

/** The process's surroundings, as commands see them. */
export interface Io {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}
