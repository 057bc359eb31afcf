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
import { createRangeSet, type RangeSet } from './range-set.js';
import { createKindNamer, type NameKind } from './special-addresses.js';

/** What the flags say. */
export interface Settings {
  readonly blockPrivate: boolean;
  /** Addresses, blocks and `first-last`: exceptions from all rules but that of the server's own listeners. */
  readonly allowed: readonly string[];
  /** Paths and http or https URLs. */
  readonly lists: readonly string[];
}

/** Which addresses may be reached, as it stands at the moment of each connection. */
export interface Policy {
  readonly filterAddress: AddressFilter;
  readonly filterHost: HostFilter;
  readonly isAllowed: AllowRule;
  /** Of the settings and lists in force. */
  readonly digest: string;
  /**
   * Gets the lists anew and resolves with what puts them and the settings in force. A list that cannot be had stays as it was; rejects
   * where it was never had. What others have put in force meanwhile is newer, and stays.
   */
  read(settings: Settings, how?: ReloadMode): Promise<() => void>;
}

/**
 * `start`: everything, from wherever. `reload`: a URL that was had already stays what it was, so that nothing else waits for who does
 * not answer. `update`: everything, from URLs and regular files.
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
      if (former?.digest === list.digest) log.debug(facts, 'blocklist read: nothing has changed');
      else logRead(log, facts, list);
      return list;
    } catch (error) {
      if (former === undefined) throw error;
      log.warn(
        { source: nameSource(source), reason: error instanceof Error ? error.message : String(error) },
        'blocklist not had again: the former stays',
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

/** What was read, but for lists that others have put in force since before it was. */
function takeNewest(read: Lists, { before, present }: { readonly before: Lists; readonly present: Lists }): Lists {
  return new Map(
    [...read].map(([source, list]) => {
      const other = present.get(source);
      return [source, other === undefined || other === before.get(source) ? list : other];
    }),
  );
}

/** What is not understood is not blocked, and whoever wrote the line thinks that it is. */
function logRead(log: Logger, facts: object, { skipped, samples }: LoadedList): void {
  if (skipped === 0) log.info(facts, 'blocklist read');
  else log.warn({ ...facts, samples }, 'blocklist read; what cannot be understood of its lines blocks nothing');
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

function refuse({ address, host }: Destination, { settings, allowed, lists }: Rules, nameKind: NameKind): string | undefined {
  const reasons = formsOf(address)
    .filter((form) => allowed.find(form) === undefined)
    .flatMap((form) => {
      const kind = settings.blockPrivate ? nameKind(form) : undefined;
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

/** Who asked by name is not told which address the name has here. */
function subject(host: string): string {
  return parseAddress(host) === undefined ? 'its address' : host;
}

/** The address, and those that it carries within: the strictest word on any of them holds. */
function formsOf(address: string): readonly Address[] {
  const parsed = parseAddress(address);
  if (parsed === undefined) return [];
  // `::` and `::1` are no IPv4 addresses in disguise.
  if (parsed.family === 4 || parsed.value <= 1n) return [parsed];
  const within = embeddedIPv4(address.split('%', 1)[0] ?? address).map(parseAddress);
  return [parsed, ...within.filter((form) => form !== undefined)];
}
