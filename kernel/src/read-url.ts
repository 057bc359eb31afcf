/**
 * The URL in its parts. Undefined for what is none by the rules of Node, which are stricter than those of browsers: a page may ask for
 * hosts such as `my%20site.example` and `xn--a`, and the protocol then tells of URLs that `new URL` throws at.
 */
export function readUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/** Host and port that a URL of a network scheme leads to, as the egress writes them down: without brackets. Also where `readUrl` has nothing. */
export function readHost(text: string): { readonly host: string; readonly port: number } | undefined {
  const url = readUrl(text);
  const [, protocol = '', host = '', port = ''] = url ? ['', url.protocol, url.hostname, url.port] : (AUTHORITY.exec(text) ?? []);
  if (host === '' || Number(port) > 65_535) return undefined;
  return { host: host.toLowerCase().replace(/^\[|\]$/g, ''), port: Number(port || (/^(?:https|wss):$/i.test(protocol) ? 443 : 80)) };
}

const AUTHORITY = /^((?:http|ws)s?:)\/\/(?:[^/?#]*@)?([^/?#@:\s]+)(?::(\d{1,5}))?(?=[/?#]|$)/i;
