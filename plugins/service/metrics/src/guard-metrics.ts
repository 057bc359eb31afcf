import { Stage, type Logger, type ServerApi } from '@platen/kernel';
import { BASIC_CHALLENGE, decodeBasic, parseUser, readCredential, credentialError, reloadKeyring } from '@platen/lib-credentials';
import type {} from '@platen/server';
import { METRICS_PATH } from './route.js';

export const AUTH_FLAG = 'server-prometheus-auth';

export interface GuardOptions {
  /** `USER:PASSWORD` each. */
  readonly users: readonly string[];
  readonly log: Logger;
}

export interface MetricsGuard {
  /** Whether there are credentials for /metrics alone, at this moment. */
  readonly isOn: boolean;
}

/**
 * Where there are credentials for /metrics they alone let in there, and the server's own do not (the interface specification,
 * Authentication, rule 7): this answers before any other plugin is asked. Where there are none, the others have their say.
 */
export function guardMetrics({ hooks }: Pick<ServerApi, 'hooks'>, { users: given, log }: GuardOptions): MetricsGuard {
  const keyring = reloadKeyring(hooks, { name: 'metrics', flag: AUTH_FLAG, log, given, parse: parseUser });
  hooks.authorize.tap({ name: 'metrics', stage: Stage.first }, ({ path, headers, header }) => {
    if (path !== METRICS_PATH || keyring.isEmpty) return undefined;
    const credential = readCredential(headers.authorization);
    const text = credential?.scheme === 'basic' ? decodeBasic(credential.text) : undefined;
    const identity = text === undefined ? undefined : keyring.identify(text);
    if (identity !== undefined) return { identity };
    header('WWW-Authenticate', BASIC_CHALLENGE);
    throw credentialError(credential === undefined ? 'missing_credential' : 'wrong_credential', 'Basic <base64 of user:password>');
  });
  return {
    get isOn() {
      return !keyring.isEmpty;
    },
  };
}
