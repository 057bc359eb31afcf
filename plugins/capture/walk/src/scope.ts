import { readUrl } from '@platen/kernel';
import { getDomain } from 'tldts';

export interface ScopeOptions {
  /** URL whose registrable domain is the scope. */
  readonly seed: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Which URLs a walk visits. */
export interface Scope {
  /** An absolute http(s) URL without fragment and userinfo, or undefined if the walk does not visit it. */
  admit(url: string, options: { readonly staysInScope: boolean; readonly base?: string }): string | undefined;
}

/** The registrable domain of the Public Suffix List, or the host itself if it has none (an address, `localhost`). */
export function createScope({ seed, allow, deny }: ScopeOptions): Scope {
  const home = siteOf(new URL(seed));
  return {
    admit(text, { staysInScope, base }) {
      const url = readUrl(text.trim(), base);
      if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
      if (staysInScope && siteOf(url) !== home) return undefined;
      url.hash = '';
      [url.username, url.password] = ['', ''];
      const isDenied = deny.some((glob) => matches(glob, url.href)) && !allow.some((glob) => matches(glob, url.href));
      return isDenied ? undefined : url.href;
    },
  };
}

function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** Whether a glob matches the whole text: `*` matches any characters, all others match themselves. In linear time, unlike an expression. */
function matches(glob: string, text: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === glob;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
}
