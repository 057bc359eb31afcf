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
  /** Whether dedicated credentials for /metrics are configured now. */
  readonly isOn: boolean;
}

/**
 * If dedicated credentials are configured, only they authorize /metrics (the interface specification, Authentication, rule 7), so
 * this runs before other authentication plugins. Otherwise those decide.
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
