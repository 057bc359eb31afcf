import { matchesGlob, readUrl } from '@platen/kernel';
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
      const isDenied = deny.some((glob) => matchesGlob(glob, url.href)) && !allow.some((glob) => matchesGlob(glob, url.href));
      return isDenied ? undefined : url.href;
    },
  };
}

function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
