import { lookup, type LookupAddress, promises } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { untilAborted } from '../deadline.js';
import { readHost } from './read-url.js';
import { createFairQueue } from './fair-queue.js';
import { applySearchDomains, type HostsFiles, openHostsFiles } from './hosts-files.js';

/** Address ranges that are tried after IPv4: 6to4, Teredo, unique local addresses (RFC 6724, 2.1). */
const BEHIND_IPV4 = new BlockList();
BEHIND_IPV4.addSubnet('2002::', 16, 'ipv6');
BEHIND_IPV4.addSubnet('2001::', 32, 'ipv6');
BEHIND_IPV4.addSubnet('fc00::', 7, 'ipv6');

const HOST_FILES = openHostsFiles();

/** Resolves a name to all of its addresses; rejects like `dns.lookup`. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The lookups of one render, or of one fetch. */
export interface NameResolver {
  readonly resolve: Resolve;
  /** Cancels pending lookups: they reject. */
  close(): void;
}

export interface NameSources {
  readonly files?: HostsFiles;
  /** Name servers; default: the machine's. */
  readonly servers?: readonly string[];
  /** Resolves names that name servers do not know. */
  readonly system?: Resolve;
}

/** Limit of a complete lookup, including its time in the queue. */
const DEADLINE_MS = 15_000;
/** Timeout for one response of a name server, and the number of attempts. */
const ASK = { timeout: 2_000, tries: 3 } as const;
/** How long the addresses of one family wait for the other family: a server may never respond for one of them. */
const OTHER_FAMILY_MS = 2_000;
/** Maximum number of concurrent lookups per render: browsers open no more connections to a proxy. */
const AT_ONCE = 32;

/** Calls to the system's resolver cannot be canceled, and block threads shared by the whole process: lookups may use two of four. */
const SYSTEM_QUEUE = createFairQueue({ all: 2, each: 1 });

/** Error codes of name servers: no such name, server failure, or no response. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const FAILED = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR']);
const SILENT = 'ETIMEOUT';

/**
 * Resolves by the hosts file, then by queries to the name servers, which can be canceled. Unknown names go to the system's resolver,
 * through a queue, if it has other sources (mDNS and others). So names without a response delay neither other renders nor the process exit.
 */
export function openNameResolver({ files = HOST_FILES, servers, system = resolveBySystem }: NameSources = {}): NameResolver {
  const over = new AbortController();
  const own = createFairQueue({ all: AT_ONCE, each: AT_ONCE }).open();
  const behind = SYSTEM_QUEUE.open();
  const asker = openAsker(servers);
  const askServers = async (host: string): Promise<Answer> => {
    let lastAnswer: Answer = { addresses: [], code: 'ENOTFOUND' };
    for (const name of applySearchDomains(host, await files.search())) {
      const answer = await own.run(() => asker.ask(name));
      if (answer.addresses.length > 0 || answer.code === SILENT) return answer;
      if (!ABSENT.has(answer.code)) lastAnswer = answer;
    }
    return lastAnswer;
  };
  const lookUp = async (host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> => {
    const known = (await files.hosts()).get(host.toLowerCase());
    if (known !== undefined) return orderAddresses(known, reachableFamilies());
    const { addresses, code } = await askServers(host);
    if (addresses.length > 0) return orderAddresses(addresses, reachableFamilies());
    if (code === SILENT) throw silence(host);
    if (FAILED.has(code)) throw refusal(host, code, 'its name servers failed to resolve it');
    if (ABSENT.has(code) && !(await files.others())) throw refusal(host, 'ENOTFOUND', 'the name does not exist');
    return behind.run(async () => {
      signal.throwIfAborted();
      return system(host);
    });
  };
  return {
    async resolve(host) {
      const fixed = fixedAddresses(host);
      if (fixed !== undefined) return fixed;
      const expired = AbortSignal.timeout(DEADLINE_MS);
      const signal = AbortSignal.any([over.signal, expired]);
      return untilAborted(lookUp(host, signal), signal).catch((error: unknown) => {
        throw expired.aborted && !over.signal.aborted ? silence(host) : error;
      });
    },
    close() {
      over.abort(Object.assign(new Error('the lookup was canceled'), { code: 'ECANCELLED' }));
      own.close();
      behind.close();
      asker.close();
    },
  };
}

const refusal = (host: string, code: string, why: string): Error => Object.assign(new Error(`${host}: ${why}`), { code });

const silence = (host: string): Error => refusal(host, SILENT, 'no name server responded in time');

interface Answer {
  readonly addresses: readonly LookupAddress[];
  /** The error if there are no addresses. */
  readonly code: string;
}

function openAsker(servers: readonly string[] | undefined): { ask(name: string): Promise<Answer>; close(): void } {
  let resolver: promises.Resolver | undefined;
  let isOver = false;
  const open = (): promises.Resolver => {
    const opened = new promises.Resolver(ASK);
    if (servers !== undefined) opened.setServers(servers);
    return opened;
  };
  return {
    async ask(name) {
      if (isOver) return { addresses: [], code: 'ECANCELLED' };
      resolver ??= open();
      const [ipv6, ipv4] = await together(
        resolver.resolve6(name).then(addressesOf(6), failureOf),
        resolver.resolve4(name).then(addressesOf(4), failureOf),
      );
      return {
        addresses: [...ipv6.addresses, ...ipv4.addresses],
        code: [ipv6.code, ipv4.code].find((code) => !ABSENT.has(code)) ?? ipv4.code,
      };
    },
    close() {
      isOver = true;
      resolver?.cancel();
    },
  };
}

const addressesOf =
  (family: 4 | 6) =>
  (addresses: readonly string[]): Answer => ({ addresses: addresses.map((address) => ({ address, family })), code: 'ENODATA' });

function failureOf(error: unknown): Answer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL';
  return { addresses: [], code };
}

/** Waits for both responses; once one has addresses, the other has only its limited time. */
async function together(one: Promise<Answer>, other: Promise<Answer>): Promise<readonly [Answer, Answer]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    const limit = ({ addresses }: Answer): void => {
      if (addresses.length > 0) timer ??= setTimeout(resolve, OTHER_FAMILY_MS, { addresses: [], code: SILENT });
    };
    void one.then(limit);
    void other.then(limit);
  });
  const answers = await Promise.all([Promise.race([one, late]), Promise.race([other, late])]);
  clearTimeout(timer);
  return answers;
}

/** Names never sent to name servers: loopback names (RFC 6761, 6.3), and the IPv4 spellings that browsers accept. */
function fixedAddresses(host: string): readonly LookupAddress[] | undefined {
  if (/(^|\.)localhost\.?$/i.test(host)) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  }
  if (!/(^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host)) return undefined;
  const address = readHost(`http://${host}/`)?.host ?? '';
  return isIP(address) === 4 ? [{ address, family: 4 }] : undefined;
}

function resolveBySystem(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

/** Address families with routes beyond the machine. */
interface ReachableFamilies {
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

function reachableFamilies(): ReachableFamilies {
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal);
  return {
    ipv4: outward.some(({ family }) => family === 'IPv4'),
    ipv6: outward.some(({ family, address }) => family === 'IPv6' && !address.startsWith('fe80:')),
  };
}

/** Orders addresses like the system's resolver (RFC 6724, 6: rules 1 and 6): unreachable addresses last, IPv6 before IPv4. */
export function orderAddresses(addresses: readonly LookupAddress[], reachable: ReachableFamilies): readonly LookupAddress[] {
  const rank = ({ address }: LookupAddress): number => {
    if (address === '::1') return 0;
    if (!isIPv6(address)) return reachable.ipv4 || address.startsWith('127.') ? 2 : 4;
    if (!reachable.ipv6) return 4;
    return BEHIND_IPV4.check(address, 'ipv6') ? 3 : 1;
  };
  return addresses.toSorted((one, other) => rank(one) - rank(other));
}
