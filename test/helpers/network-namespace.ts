import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

export interface NetworkNamespace extends Disposable {
  /** The address of this machine to which it has a way. */
  readonly gateway: string;
  /** Runs a command in it. Rejects if that fails. */
  run(command: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  start(command: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Packets that left for any other address since it was made. */
  countLeaks(): number;
}

/** Of benchmarks (RFC 2544), which few networks use. */
const [GATEWAY, ADDRESS, ELSEWHERE] = ['198.18.231.1', '198.18.231.2', '198.18.232.1'];

/** A network namespace with a way to one address of this machine; what is sent to any other is counted and lost. A text: why there is none. */
export function openNamespace(): NetworkNamespace | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'this needs Linux and root';
  const name = `platen-${String(process.pid)}`;
  const [outside, inside] = [`pl${String(process.pid)}o`, `pl${String(process.pid)}i`];
  const ip = (...args: readonly string[]): string => execFileSync('ip', args, { stdio: 'pipe' }).toString();
  const remove = (): void => {
    ip('netns', 'delete', name);
  };
  try {
    ip('netns', 'add', name);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
    ip('address', 'add', `${GATEWAY}/30`, 'dev', outside);
    ip('link', 'set', outside, 'up');
    for (const args of [
      ['address', 'add', `${ADDRESS}/30`, 'dev', inside],
      ['link', 'set', inside, 'up'],
      ['link', 'set', 'lo', 'up'],
      ['link', 'add', 'elsewhere', 'type', 'veth', 'peer', 'name', 'end'],
      // Without addresses of IPv6, which announce themselves.
      ['link', 'set', 'elsewhere', 'addrgenmode', 'none', 'arp', 'off'],
      ['link', 'set', 'end', 'addrgenmode', 'none'],
      ['address', 'add', `${ELSEWHERE}/32`, 'dev', 'elsewhere'],
      ['link', 'set', 'end', 'up'],
      ['link', 'set', 'elsewhere', 'up'],
      ['route', 'add', 'default', 'dev', 'elsewhere'],
    ])
      ip('-n', name, ...args);
    // Of the system, once a browser listens for mDNS (WebRTC): it has no data of a page, and does not leave the link.
    ip('netns', 'exec', name, 'sh', '-c', 'echo 0 > /proc/sys/net/ipv4/igmp_link_local_mcast_reports');
  } catch (error) {
    try {
      remove();
    } catch {
      // It was not made.
    }
    return String(error).split('\n')[0] ?? '';
  }
  const within = (command: readonly string[]) => ['netns', 'exec', name, ...command];
  return {
    gateway: GATEWAY,
    run: async (command, environment = {}) =>
      (await promisify(execFile)('ip', within(command), { env: { ...process.env, ...environment } })).stdout,
    start: (command, environment = {}) =>
      spawn('ip', within(command), { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] }),
    countLeaks() {
      const [shown] = JSON.parse(ip('-json', '-statistics', '-n', name, 'link', 'show', 'elsewhere')) as [
        { readonly stats64: { readonly tx: { readonly packets: number } } },
      ];
      return shown.stats64.tx.packets;
    },
    [Symbol.dispose]: remove,
  };
}
