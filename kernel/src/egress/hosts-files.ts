import { readFile, stat } from 'node:fs/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** Name settings from the machine's files. */
export interface HostsFiles {
  hosts(): Promise<ReadonlyMap<string, readonly LookupAddress[]>>;
  search(): Promise<SearchRules>;
  /** Whether the system has names from sources other than the hosts file and name servers. */
  others(): Promise<boolean>;
}

export interface NamePaths {
  readonly hosts: string;
  readonly resolv: string;
  /** Undefined if the system does not publish its sources. */
  readonly nsswitch: string | undefined;
}

const HOST_PATHS: NamePaths = {
  hosts:
    process.platform === 'win32'
      ? join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'drivers', 'etc', 'hosts')
      : '/etc/hosts',
  resolv: '/etc/resolv.conf',
  nsswitch: process.platform === 'linux' ? '/etc/nsswitch.conf' : undefined,
};

export function openHostsFiles({ hosts, resolv, nsswitch }: NamePaths = HOST_PATHS): HostsFiles {
  return {
    hosts: watchFile(hosts, parseHosts),
    search: watchFile(resolv, parseSearch),
    others: nsswitch === undefined ? () => Promise.resolve(true) : watchFile(nsswitch, hasOtherSources),
  };
}

/** Whether hosts have sources other than files and name servers (nsswitch.conf(5)); false without a line. */
function hasOtherSources(text: string): boolean {
  const line = text.split('\n').find((each) => each.trimStart().startsWith('hosts:')) ?? '';
  const [, ...sources] = line
    .replace(/#.*/, '')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .trim()
    .split(/\s+/);
  return sources.some((source) => source !== 'files' && source !== 'dns');
}

/** The addresses of each name of a hosts file (hosts(5)), by lower-case name. */
export function parseHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name);
      if (known === undefined) names.set(name, [{ address, family }]);
      else if (!known.some((other) => other.address === address)) known.push({ address, family });
    }
  }
  return names;
}

/** Search domains, and the number of dots from which names are first tried unchanged (resolv.conf(5)). */
export interface SearchRules {
  readonly domains: readonly string[];
  readonly dots: number;
}

export function parseSearch(text: string): SearchRules {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const line of text.split('\n')) {
    const [word = '', ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (word === 'search' || word === 'domain') domains = values.map((domain) => domain.replace(/^\.|\.$/g, '')).filter(Boolean);
    if (word === 'options') dots = Number(values.findLast((value) => /^ndots:\d+$/.test(value))?.slice('ndots:'.length) ?? dots);
  }
  return { domains, dots };
}

/** The candidates for a name, in query order. */
export function applySearchDomains(host: string, { domains, dots }: SearchRules): readonly string[] {
  if (host.endsWith('.')) return [host];
  const completed = domains.map((domain) => `${host}.${domain}`);
  return host.split('.').length > dots ? [host, ...completed] : [...completed, host];
}

/** The parsed file, read again when it changes. An unreadable file counts as empty. */
function watchFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { readonly version: string; readonly value: T } | undefined;
  return async () => {
    const version = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${String(mtimeMs)} ${String(size)} ${String(ino)}`,
      () => '',
    );
    if (known?.version !== version) known = { version, value: parse(version === '' ? '' : await readFile(path, 'utf8').catch(() => '')) };
    return known.value;
  };
}
