import { Stage, type Logger, type ServerApi } from '@platen/kernel';
import { decodeBasic, parseUser, readCredential, reloadKeyring } from '@platen/lib-credentials';
import type {} from '@platen/server';

export const ADMIN_FLAG = 'server-admin-auth';

export interface AdminOptions {
  /** `USER:PASSWORD` values at startup; a reload can replace them. */
  readonly admins: readonly string[];
  readonly log: Logger;
}

/**
 * Authorizes `DELETE /` with a credential of `--server-admin-auth`, before other authentication plugins, and permits it to purge
 * everything. Leaves other requests and other credentials to those plugins.
 */
export function recognizeAdmin(hooks: ServerApi['hooks'], { admins: given, log }: AdminOptions): void {
  const keyring = reloadKeyring(hooks, { name: 'cache', flag: ADMIN_FLAG, log, given, parse: parseUser });
  hooks.authorize.tap({ name: 'cache', stage: Stage.first }, ({ method, path, headers }) => {
    if (method !== 'DELETE' || path !== '/' || keyring.isEmpty) return undefined;
    const credential = readCredential(headers.authorization);
    const user = credential?.scheme === 'basic' ? decodeBasic(credential.text) : undefined;
    const identity = user === undefined ? undefined : keyring.identify(user);
    return identity === undefined ? undefined : { identity, mayPurgeAll: true };
  });
}
