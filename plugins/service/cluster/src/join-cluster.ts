import { type Logger, type Outbound, PlatenError, type ServerApi } from '@platen/kernel';
import type { ClusterReport } from '@platen/server';
import type { Joined } from './join.js';
import { addJobsRoute } from './route.js';
import type { Settings } from './settings.js';

export interface ClusterParts {
  /** Of the plugin. */
  readonly name: string;
  readonly isFront: boolean;
  readonly log: Logger;
  readonly outbound: Pick<Outbound, 'addAddressFilter'>;
  /** @throws PlatenError `boot_invalid_flag`; undefined without a queue. */
  settings(): Settings | undefined;
}

/** Makes a server a front, a worker, or both, from its start to its stop. */
export function joinCluster(server: ServerApi, parts: ClusterParts): void {
  const { hooks } = server;
  const { name, isFront, log, outbound } = parts;
  let joined: Joined | undefined;
  hooks.start.tapPromise(name, async () => {
    const settings = parts.settings();
    if (settings === undefined) return;
    // Imported only here: servers without a cluster do not load the queue's library.
    const { join } = await import('./join.js');
    joined = await join(server, settings, log);
    outbound.addAddressFilter(joined.members.filterAddress);
    log.info({ role: settings.role, cluster: settings.name }, 'joined the cluster');
  });
  hooks.startBrowser.tap(name, () => (joined?.settings.role === 'front' ? false : undefined));
  const isLimited = server.flags['server-max-concurrency'] !== undefined;
  hooks.status.tap(name, (report) => (joined === undefined ? report : addReport(report, joined, { isLimited })));
  hooks.drain.tap(name, () => joined?.worker?.pause());
  hooks.stop.tapPromise(name, async () => {
    joined?.front?.close();
    await joined?.members.close();
    await joined?.worker?.close();
    await joined?.queue.close();
    joined = undefined;
  });
  if (!isFront) return;
  const front = () => {
    if (joined?.front === undefined) throw new PlatenError('browser_unavailable', 'the server has not joined its cluster yet');
    return joined.front;
  };
  // Workers cannot call a process that listens nowhere (`platen mcp`, a single capture): it renders itself.
  hooks.execute.tapPromise(name, async (call) => (server.listeners().length === 0 ? undefined : await front().execute(call)));
  addJobsRoute(server, { name, front });
}

type Report = ReturnType<ServerApi['status']>;

/**
 * Jobs that are out count as renders in progress, except those that this process renders itself, which do already. With a limit of its own
 * the server counts all of them.
 */
function addReport(
  report: Report,
  { settings, queue, front, worker, state }: Joined,
  { isLimited }: { readonly isLimited: boolean },
): Report {
  const { role } = settings;
  const { depth, members } = state();
  const { out, waiting, attempts, lost } = front?.counts() ?? { out: [], waiting: 0, attempts: 0, lost: 0 };
  const elsewhere = out.filter((id) => worker?.running.has(id) !== true).length;
  const capacity = members.reduce((sum, member) => sum + member.capacity, 0);
  const isUp = queue.isUp;
  const cluster: ClusterReport = {
    role,
    queue: isUp ? 'up' : 'down',
    ...depth,
    workers: members.filter((member) => member.capacity > 0).length,
    capacity,
    attempts,
    lost,
  };
  // A front needs no browser of its own.
  const status = report.status === 'draining' ? report.status : isUp && role === 'front' ? 'ok' : isUp ? report.status : 'degraded';
  return {
    ...report,
    ...(role === 'worker' ? {} : { status, queued: report.queued + waiting }),
    ...(role === 'worker' || isLimited ? {} : { in_flight: report.in_flight + elsewhere }),
    ...(role === 'front' && !isLimited ? { max_concurrency: capacity } : {}),
    cluster,
  };
}
