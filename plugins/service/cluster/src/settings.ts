import { PlatenError, type SelfListener, type ServerApi } from '@platen/kernel';
import type { FlagValues } from '@platen/server';

export type Role = 'front' | 'worker' | 'both';

/** Values of the plugin's flags. */
export interface ClusterFlags {
  readonly 'cluster-queue'?: string | undefined;
  readonly 'cluster-role'?: Role | undefined;
  readonly 'cluster-address'?: string | undefined;
  readonly 'cluster-concurrency'?: number | undefined;
  readonly 'cluster-queue-limit'?: number | undefined;
  readonly 'cluster-name'?: string | undefined;
  readonly 'cluster-lock'?: number | undefined;
}

export interface Settings {
  readonly url: string;
  readonly role: Role;
  readonly name: string;
  readonly address: string | undefined;
  readonly limit: number | undefined;
  readonly concurrency: number | undefined;
  readonly lockMs: number;
}

/**
 * Undefined without a queue.
 *
 * @throws PlatenError `boot_invalid_flag`
 */
export function readSettings(options: ClusterFlags, flags: FlagValues): Settings | undefined {
  const { 'cluster-queue': url, 'cluster-role': role = 'both', 'cluster-address': address } = options;
  if (url === undefined) {
    const defaults: Readonly<Record<string, unknown>> = DEFAULTS;
    const lone = Object.entries(options).filter(([name, value]) => value !== undefined && value !== defaults[name]);
    if (lone.length > 0) throw flagError(`--${lone.map(([name]) => name).join(', --')} requires --cluster-queue`);
    return undefined;
  }
  if (!isQueueUrl(url)) {
    throw flagError(
      '--cluster-queue is not a URL such as redis://user:password@host:6379, or redis://host:6379/1 for another database than 0',
    );
  }
  if (address !== undefined && !isAddress(address)) {
    throw flagError('--cluster-address is not a URL such as http://10.0.0.5:3000, without user, password, query and fragment');
  }
  assertOfRole(role, options);
  if (role !== 'worker' && address === undefined) assertReachable(flags);
  return {
    url,
    role,
    address,
    name: options['cluster-name'] ?? DEFAULTS['cluster-name'],
    limit: options['cluster-queue-limit'],
    concurrency: options['cluster-concurrency'],
    lockMs: (options['cluster-lock'] ?? DEFAULTS['cluster-lock']) * 1000,
  };
}

export const DEFAULTS = { 'cluster-role': 'both', 'cluster-name': 'platen', 'cluster-lock': 10 } as const;

/** Flags that only concern the other role. */
const OF_OTHERS = { front: ['cluster-concurrency'], worker: ['cluster-address', 'cluster-queue-limit'], both: [] } as const;

function assertOfRole(role: Role, options: ClusterFlags): void {
  const given = OF_OTHERS[role].filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  const roles = `--cluster-role ${role === 'front' ? 'worker' : 'front'} or both`;
  throw flagError(`--${given.join(', --')} requires ${roles}: this server is a ${role}`);
}

function isQueueUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && /^\/?\d*$/.test(pathname) && search === '' && hash === '';
}

/** Workers append the path of a job, and the queue would spread a password. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

/** A bind address from which the address for workers follows. */
function assertReachable({ 'server-bind-address': host }: FlagValues): void {
  if (typeof host !== 'string' || !(host.includes('/') || /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host))) return;
  throw flagError(
    `--cluster-address is required with --server-bind-address ${host}: the URL at which workers reach this server, such as http://10.0.0.5:3000`,
  );
}

/** Where workers reach a front: as configured, or at its main listener. */
export function addressOf({ address }: Settings, listeners: readonly SelfListener[]): string {
  const main = listeners.at(-1);
  if (address !== undefined || main === undefined) return address ?? '';
  return `http://${main.address.includes(':') ? `[${main.address}]` : main.address}:${String(main.port)}`;
}

function flagError(text: string): PlatenError {
  return new PlatenError('boot_invalid_flag', text);
}

/** Flags that keep pages out of networks. They only take effect where the page is rendered: at the worker. */
const PROTECTIONS = ['block-private-ips', 'ip-blocklist', 'egress-proxy'];

/** Those that a front has. */
export function protectionsOf({ isGiven }: Pick<ServerApi, 'isGiven'>): readonly string[] {
  return PROTECTIONS.filter(isGiven);
}

/** One that the front has and this worker lacks. */
export function findLacking(protections: readonly string[], { isGiven }: Pick<ServerApi, 'isGiven'>): string | undefined {
  return protections.find((name) => !isGiven(name));
}
