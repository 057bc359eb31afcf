import { type Logger, type Outbound, PlatenError, type ServerApi } from '@platen/kernel';
import type { ClusterReport } from '@platen/server';
import { createFront, type Front } from './front.js';
import { createMembers, type Member, type Members } from './members.js';
import { type Depth, type JobQueue, openQueue } from './queue.js';
import { addJobsRoute } from './route.js';
import { addressOf, type Settings } from './settings.js';
import { type JobWorker, startWorker } from './worker.js';

export interface ClusterParts {
  /** Of the plugin. */
  readonly name: string;
  readonly isFront: boolean;
  readonly log: Logger;
  readonly outbound: Pick<Outbound, 'addAddressFilter'>;
  /** @throws PlatenError `boot_invalid_flag`; undefined without a queue. */
  settings(): Settings | undefined;
}

/** The parts that exist between `start` and `stop`. */
interface Joined {
  readonly settings: Settings;
  readonly queue: JobQueue;
  readonly members: Members;
  readonly front: Front | undefined;
  readonly worker: JobWorker | undefined;
  /** Of the latest refresh. */
  state(): { readonly depth: Depth; readonly members: readonly Member[] };
}

/** Makes a server a front, a worker, or both, from its start to its stop. */
export function joinCluster(server: ServerApi, parts: ClusterParts): void {
  const { hooks } = server;
  const { name, isFront, log, outbound } = parts;
  let joined: Joined | undefined;
  hooks.start.tapPromise(name, async () => {
    const settings = parts.settings();
    if (settings === undefined) return;
    joined = await join(server, settings, log);
    outbound.addAddressFilter(joined.members.filterAddress);
    log.info({ role: settings.role, cluster: settings.name }, 'joined the cluster');
  });
  const isLimited = server.flags['server-max-concurrency'] !== undefined;
  hooks.status.tap(name, (report) => (joined === undefined ? report : addReport(report, joined, { isLimited })));
  hooks.drain.tap(name, () => joined?.worker?.pause());
  hooks.stop.tapPromise(name, async () => {
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
  hooks.execute.tapPromise(name, (call) => front().execute(call));
  addJobsRoute(server, { name, front });
}

async function join(server: ServerApi, settings: Settings, log: Logger): Promise<Joined> {
  const { url, name, role, lockMs, limit } = settings;
  const queue = await openQueue({ url, name, log });
  let state: ReturnType<Joined['state']> = { depth: { queued: 0, active: 0 }, members: [] };
  const capacity = role === 'front' ? 0 : (settings.concurrency ?? server.kernel.status().capacity);
  const replyTo = () => addressOf(settings, server.listeners());
  const members = createMembers({
    redis: queue.redis,
    urls: [url],
    log,
    self: () => ({ cluster: name, capacity, listeners: server.listeners(), ...(role === 'worker' ? {} : describeFront(replyTo())) }),
    async onRefresh(all) {
      state = { members: all.filter(({ cluster }) => cluster === name), depth: await queue.depth() };
    },
  });
  try {
    await members.refresh();
  } catch (cause) {
    await queue.close();
    throw new PlatenError('boot_invalid_flag', '--cluster-queue: the queue does not take the data of the cluster', { cause });
  }
  const front = role === 'worker' ? undefined : createFront({ queue, log, limit, lockMs, replyTo });
  const worker =
    role === 'front' ? undefined : startWorker({ server, url, name, concurrency: capacity, lockMs, log, onFront: members.addFront });
  return { settings, queue, members, front, worker, state: () => state };
}

/** Before the server listens, a front has no address. */
function describeFront(url: string): Pick<Member, 'url'> {
  return url === '' ? {} : { url };
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
