import type { ServerApi } from '@platen/kernel';
import type { JsonObject } from './json.js';

/** Required credentials, as Security Scheme and Security Requirement Objects. */
export interface Security {
  readonly schemes: JsonObject;
  /** Endpoints that accept only a credential header; an empty list: no credentials required. */
  readonly byHeader: readonly JsonObject[];
  /** `GET /`, `DELETE /` and `GET /assets`, which may also be signed (the interface specification, Authentication). */
  readonly bySignature: readonly JsonObject[];
  /** `DELETE /`: the same, or the credential that purges everything. */
  readonly toPurge: readonly JsonObject[];
}

const BASIC: JsonObject = { type: 'http', scheme: 'basic', description: 'User and password.' };
const ADMIN: JsonObject = { type: 'http', scheme: 'basic', description: 'User and password that may purge the whole cache.' };
const TOKEN: JsonObject = { type: 'http', scheme: 'bearer', description: 'A token of this server.' };
const SIGNATURE: JsonObject = {
  type: 'apiKey',
  in: 'query',
  name: 'signature',
  description:
    'HMAC-SHA256 in lower-case hex, with the shared secret, of all other query parameters sorted by key, then by value, and form-encoded. Requires `expires`.',
};
const EXPIRES: JsonObject = {
  type: 'apiKey',
  in: 'query',
  name: 'expires',
  description: 'Unix time in seconds until which the signature is valid.',
};

type Asked = Pick<ServerApi, 'kernel' | 'isGiven'>;

function isOn({ kernel, isGiven }: Asked, plugin: string, flag: string): boolean {
  return kernel.plugins.some(({ definition }) => definition.name === plugin) && isGiven(flag);
}

/** Whether requests need a bearer token. */
export function asksForToken(server: Asked): boolean {
  return isOn(server, 'auth-token', 'server-token-auth');
}

/** Derived from the enabled plugins and their flags. With both Basic and token, only the token authorizes. */
export function readSecurity(server: Asked): Security {
  const token = asksForToken(server);
  const basic = !token && isOn(server, 'auth-basic', 'server-basic-auth');
  const signed = isOn(server, 'auth-signed-url', 'server-signed-url');
  const admin = isOn(server, 'cache', 'server-cache') && isOn(server, 'cache', 'server-admin-auth');
  const byHeader = [...(token ? [{ token: [] }] : []), ...(basic ? [{ basic: [] }] : [])];
  const bySignature = [...byHeader, ...(signed ? [{ signature: [], expires: [] }] : [])];
  return {
    schemes: {
      ...(token ? { token: TOKEN } : {}),
      ...(basic ? { basic: BASIC } : {}),
      ...(signed ? { signature: SIGNATURE, expires: EXPIRES } : {}),
      ...(admin ? { admin: ADMIN } : {}),
    },
    byHeader,
    bySignature,
    // An empty requirement: one result is purged without credentials.
    toPurge: admin ? [...(bySignature.length === 0 ? [{}] : bySignature), { admin: [] }] : bySignature,
  };
}
