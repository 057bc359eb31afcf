/**
 * The parsed URL. Undefined if Node cannot parse it. Node is stricter than browsers: pages may request hosts such as `my%20site.example`
 * and `xn--a`, and the protocol then reports URLs for which `new URL` throws.
 */
export function readUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/**
 * The URL without user and password, otherwise unchanged: safe to show to others. Leading white space is that of an attribute. Text that is
 * not a URL is returned as it is.
 */
export function withoutUserinfo(url: string): string {
  const plain = url.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
  // Browsers read more spellings, such as `http:\\user:password@host`.
  const parsed = plain.includes('@') ? readUrl(plain) : undefined;
  if (!parsed?.username && !parsed?.password) return plain;
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href;
}

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Host and port of a URL with a network scheme, as logged by the egress proxy: without brackets. Also for URLs that `readUrl` cannot parse.
 */
export function readHost(text: string): HostAndPort | undefined {
  const url = readUrl(text);
  const [, protocol = '', hostname = '', port = ''] = url ? ['', url.protocol, url.hostname, url.port] : (AUTHORITY.exec(text) ?? []);
  return hostname === '' || Number(port) > 65_535 ? undefined : hostOf({ protocol, hostname, port });
}

/** The same of the parts of a URL. */
export function hostOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): HostAndPort {
  return { host: hostname.toLowerCase().replace(/^\[|\]$/g, ''), port: Number(port || (/^(?:https|wss):$/i.test(protocol) ? 443 : 80)) };
}

const AUTHORITY = /^((?:http|ws)s?:)\/\/(?:[^/?#]*@)?([^/?#@:\s]+)(?::(\d{1,5}))?(?=[/?#]|$)/i;

/** A host name or an IP address, with or without port, path, query and fragment. No user, no scheme. */
const ADDRESS = /^(?:\[[\da-f:.]+\]|[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252})(?::\d{1,5})?(?=[/?#]|$)/iu;
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?#]|$)/i;

/**
 * The URL for an address without a scheme, such as `example.com:8080/a`: https, or http on loopback, where few servers support TLS.
 * Undefined if the text has a scheme or is not an address.
 */
export function withScheme(address: string): string | undefined {
  if (!ADDRESS.test(address) || /^data:/i.test(address)) return undefined;
  return readUrl(`${LOOPBACK.test(address) ? 'http' : 'https'}://${address}`)?.href;
}
