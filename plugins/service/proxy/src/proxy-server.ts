import { readUrl, type Upstream } from '@platen/kernel';
import type { Credentials } from './credentials.js';

export interface ProxyOptions {
  readonly resolvesNames: boolean;
  readonly namedByOperator: boolean;
}

/** A proxy, and its URL without credentials, for messages and logs. */
export interface ProxyServer extends Upstream {
  readonly label: string;
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };

/** What a proxy may be, for error texts. */
export const EXPECTED =
  'an http, https or socks5 URL of a host, with or without a port and credentials: http://user:password@proxy.example:3128';

/** Undefined if the text is not the URL of a proxy. `socks5h:` is the usual name for a SOCKS proxy that resolves names. */
export function readProxy(text: string, { resolvesNames, namedByOperator }: ProxyOptions): ProxyServer | undefined {
  // Other parsers of `socks5:` URLs lower the case of a host, too.
  const url = readUrl(text.trim());
  const port = PORTS[url?.protocol ?? ''];
  if (url === undefined || port === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search || url.hash)
    return undefined;
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const credentials = readCredentials(url);
  if (credentials === undefined) return undefined;
  const isSocks = url.protocol.startsWith('socks');
  return {
    ...{ host, port: Number(url.port || port), namedByOperator },
    label: `${url.protocol}//${url.host}`,
    secure: url.protocol === 'https:',
    resolvesNames: resolvesNames || url.protocol === 'socks5h:',
    async open(socket, destination) {
      const { open } = await (isSocks ? import('./open-socks.js') : import('./open-http.js'));
      return open(socket, destination, credentials ?? undefined);
    },
  };
}

/** Null if there are none, undefined if they are malformed. */
function readCredentials({ username, password }: URL): Credentials | null | undefined {
  if (username === '' && password === '') return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
