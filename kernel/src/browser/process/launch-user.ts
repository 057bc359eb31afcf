import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { PlatenError } from '../../errors.js';
import { type UnixUser, isReachable } from './private-folder.js';

/** How a browser is started: its user, the wrapper command, with or without sandbox. */
export interface LaunchUser {
  /** Prefix of the browser's command line. */
  readonly prefix: readonly string[];
  /** The user that the browser runs as; undefined: the same as Platen. */
  readonly owner: UnixUser | undefined;
  readonly sandbox: boolean;
}

/** The user `nobody`, by number: small containers may lack the name. */
export const NOBODY: UnixUser = { uid: 65_534, gid: 65_534 };

/**
 * Chromium's sandbox does not work as root, so root starts it as an unprivileged user to keep the sandbox on. If that is impossible, only
 * an explicit setting of the operator lets it run without.
 */
export async function resolveLaunchUser(browserPath: string, { noSandbox }: { readonly noSandbox: boolean }): Promise<LaunchUser> {
  if (process.getuid?.() !== 0) return { prefix: [], owner: undefined, sandbox: !noSandbox };
  const setpriv = await findSetpriv();
  const reachable = await isReachable(browserPath, NOBODY);
  if (setpriv !== undefined && reachable) return { prefix: drop(setpriv, NOBODY), owner: NOBODY, sandbox: !noSandbox };
  if (noSandbox) return { prefix: [], owner: undefined, sandbox: false };
  throw new PlatenError(
    'browser_unavailable',
    setpriv === undefined
      ? 'Platen runs as root and needs "setpriv" (package util-linux) to run the browser as an unprivileged user: install it, start Platen as another user, or disable the sandbox with --browser-no-sandbox'
      : 'Platen runs as root and the browser is in a folder that an unprivileged user cannot access: move it, make the folder accessible (chmod o+x), start Platen as another user, or disable the sandbox with --browser-no-sandbox',
  );
}

function drop(setpriv: string, { uid, gid }: UnixUser): readonly string[] {
  return [setpriv, `--reuid=${String(uid)}`, `--regid=${String(gid)}`, '--clear-groups', '--no-new-privs', '--'];
}

async function findSetpriv(): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin'].filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = join(folder, 'setpriv');
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}
