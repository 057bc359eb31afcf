import { createHash } from 'node:crypto';
import {
  embeddedIPv4,
  type Destination,
  type AddressFilter,
  type Logger,
  type HostFilter,
  type Outbound,
  type AllowRule,
} from '@platen/kernel';
import { type Address, type AddressRange, formatRange, parseAddress, parseRange } from './address.js';
import { isUrl, nameSource } from '@platen/lib-sources';
import { loadList, type LoadedList } from './load-list.js';
import { createRangeSet, type RangeSet } from './ranges.js';

/** Values of the flags. */
export interface Settings {
  readonly blockPrivate: boolean;
  /** Addresses, blocks and `first-last`: exceptions from all rules except that of the server's own listeners. */
  readonly allowed: readonly string[];
  /** Paths and http or https URLs. */
  readonly lists: readonly string[];
}

/** The rules for addresses, evaluated at each connection. */
export interface Policy {
  readonly filterAddress: AddressFilter;
  readonly filterHost: HostFilter;
  readonly isAllowed: AllowRule;
  /** Digest of the active settings and lists. */
  readonly digest: string;
  /**
   * Loads the lists and resolves with a function that activates them and the settings. A list that cannot be loaded keeps its
   * previous version; rejects if it has none. Lists that were activated meanwhile are newer and stay active.
   */
  read(settings: Settings, how?: ReloadMode): Promise<() => void>;
}

/**
 * `start`: reads all lists. `reload`: keeps the loaded version of a URL, so that a reload does not wait for slow hosts. `update`: reads all
 * URLs and regular files again.
 */
export type ReloadMode = 'start' | 'reload' | 'update';

type Lists = ReadonlyMap<string, LoadedList>;

interface Rules {
  readonly settings: Settings;
  readonly allowed: RangeSet;
  readonly lists: readonly LoadedList[];
  readonly digest: string;
}

export interface PolicyParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly outbound: Pick<Outbound, 'fetch'>;
}

export function createPolicy({ settings, log, outbound }: PolicyParts): Policy {
  const nameKind = createKindNamer();
  let had: Lists = new Map();
  let rules = createRules(settings, had);
  const readOne = async (source: string, how: ReloadMode): Promise<LoadedList> => {
    const former = had.get(source);
    if (how === 'reload' && former !== undefined && isUrl(source)) return former;
    try {
      const list = await loadList(source, outbound, { again: how !== 'start' });
      const facts = { source: nameSource(source), ranges: list.ranges.size, names: list.names.size, skipped: list.skipped };
      if (former?.digest === list.digest) log.debug(facts, 'blocklist read: unchanged');
      else logRead(log, facts, list);
      return list;
    } catch (error) {
      if (former === undefined) throw error;
      log.warn(
        { source: nameSource(source), reason: error instanceof Error ? error.message : String(error) },
        'blocklist could not be reloaded: the previous version stays active',
      );
      return former;
    }
  };
  return {
    filterAddress: (destination) => refuse(destination, rules, nameKind),
    filterHost: (name) =>
      rules.lists.some(({ names }) => names.has(name)) ? 'its name is on a list of this server (--ip-blocklist)' : undefined,
    isAllowed: ({ address }) => {
      const forms = formsOf(address);
      return forms.length > 0 && forms.every((form) => rules.allowed.find(form) !== undefined);
    },
    get digest() {
      return rules.digest;
    },
    async read(next, how = 'start') {
      const before = had;
      const now: Lists = new Map(await Promise.all(next.lists.map(async (source) => [source, await readOne(source, how)] as const)));
      const nextRules = createRules(next, now);
      return () => {
        if (had === before) [rules, had] = [nextRules, now];
        else {
          had = takeNewest(now, { before, present: had });
          rules = createRules(next, had);
        }
      };
    },
  };
}

/** The loaded lists, except those that were replaced while loading. */
function takeNewest(read: Lists, { before, present }: { readonly before: Lists; readonly present: Lists }): Lists {
  return new Map(
    [...read].map(([source, list]) => {
      const other = present.get(source);
      return [source, other === undefined || other === before.get(source) ? list : other];
    }),
  );
}

/** Warns of skipped lines: their authors expect them to block. */
function logRead(log: Logger, facts: object, { skipped, samples }: LoadedList): void {
  if (skipped === 0) log.info(facts, 'blocklist read');
  else log.warn({ ...facts, samples }, 'blocklist read; lines that could not be parsed block nothing');
}

function createRules(settings: Settings, lists: Lists): Rules {
  const all = [...lists.values()];
  return {
    settings,
    allowed: createRangeSet(settings.allowed.map(parseRange).filter((range) => range !== undefined)),
    lists: all,
    digest: createHash('sha256')
      .update(JSON.stringify([settings, all.map(({ digest }) => digest)]))
      .digest('hex'),
  };
}

function refuse(
  { address, host, namedByOperator = false }: Destination,
  { settings, allowed, lists }: Rules,
  nameKind: NameKind,
): string | undefined {
  const reasons = formsOf(address)
    .filter((form) => allowed.find(form) === undefined)
    .flatMap((form) => {
      const kind = settings.blockPrivate && !namedByOperator ? nameKind(form) : undefined;
      if (kind !== undefined) return [`${subject(host)} is ${kind} (--block-private-ips)`];
      const range = findFirst(lists, form);
      return range === undefined ? [] : [`${subject(host)} is on a list of this server (--ip-blocklist: ${formatRange(range)})`];
    });
  return reasons[0];
}

function findFirst(lists: readonly LoadedList[], address: Address): AddressRange | undefined {
  for (const { ranges } of lists) {
    const range = ranges.find(address);
    if (range !== undefined) return range;
  }
  return undefined;
}

/** Does not reveal the address to a client that sent a host name. */
function subject(host: string): string {
  return parseAddress(host) === undefined ? 'its address' : host;
}

/** The address and its embedded IPv4 addresses; the strictest rule for any of them applies. */
function formsOf(address: string): readonly Address[] {
  const parsed = parseAddress(address);
  if (parsed === undefined) return [];
  // `::` and `::1` are not IPv4-compatible addresses.
  if (parsed.family === 4 || parsed.value <= 1n) return [parsed];
  const within = embeddedIPv4(address.split('%', 1)[0] ?? address).map(parseAddress);
  return [parsed, ...within.filter((form) => form !== undefined)];
}

/**
 * Addresses outside the public Internet, by the IANA special-purpose address registries (RFC 6890). The well-known NAT64 prefix
 * (64:ff9b::/96) is not included: it embeds an IPv4 address, which is checked.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'a loopback address': ['127.0.0.0/8', '::1'],
  'an unspecified address': ['0.0.0.0/8', '::'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'a shared address of a carrier': ['100.64.0.0/10'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'an address of a tunnel': ['192.88.99.0/24', '2001::/32', '2002::/16', '64:ff9b:1::/48'],
  'a reserved address': [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '::/96',
    '100::/64',
    '100:0:0:1::/64',
    '2001:2::/48',
    '2001:10::/28',
    '2001:20::/28',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
  ],
};

/** The kind of a non-public address; undefined for public addresses. */
type NameKind = (address: Address) => string | undefined;

export function createKindNamer(): NameKind {
  const table = Object.entries(KINDS).flatMap(([kind, blocks]) =>
    blocks.map(parseRange).flatMap((range) => (range === undefined ? [] : [{ kind, range }])),
  );
  return (address) => table.find(({ range }) => holds(range, address))?.kind;
}

function holds({ family, first, last }: AddressRange, address: Address): boolean {
  return family === address.family && first <= address.value && address.value <= last;
}
