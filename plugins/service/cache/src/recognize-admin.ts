import { Stage, type Logger, type ServerApi } from '@platen/kernel';
import { decodeBasic, parseUser, readCredential, reloadKeyring } from '@platen/lib-credentials';
import type {} from '@platen/server';

export const ADMIN_FLAG = 'server-admin-auth';

export interface AdminOptions {
  /** `USER:PASSWORD` each, as at the start; a reload may replace them. */
  readonly admins: readonly string[];
  readonly log: Logger;
}

/**
 * Lets `DELETE /` in by a credential of `--server-admin-auth`, before any plugin that knows others is asked, and marks it as one that may
 * purge everything. Every other request, and one with another credential, is left to those plugins.
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
