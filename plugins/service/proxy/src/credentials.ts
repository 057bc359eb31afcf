import { DialError, type HostAndPort } from '@platen/kernel';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export function credentialsError(given: Credentials | undefined): DialError {
  const why = given === undefined ? 'the proxy asks for credentials' : 'the proxy does not accept the credentials';
  return new DialError('proxy', why, { isFinal: true });
}

/** `host:port`, IPv6 in brackets. */
export function authorityOf({ host, port }: HostAndPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
