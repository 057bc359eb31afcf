import { type Logger, PlatenError, type ServerApi } from '@platen/kernel';
import { createFront, type Front } from './front.js';
import { createMembers, type Member, type Members } from './members.js';
import { type Depth, type JobQueue, openQueue } from './queue.js';
import { adviseOn, describeCause } from './queue-errors.js';
import { addressOf, protectionsOf, type Settings } from './settings.js';
import { type JobWorker, startWorker } from './worker.js';

/** The parts that exist between `start` and `stop`. */
export interface Joined {
  readonly settings: Settings;
  readonly queue: JobQueue;
  readonly members: Members;
  readonly front: Front | undefined;
  readonly worker: JobWorker | undefined;
  /** Of the latest refresh. */
  state(): { readonly depth: Depth; readonly members: readonly Member[] };
}

/** @throws PlatenError `boot_invalid_flag` if the queue cannot be reached, or does not take the data. */
export async function join(server: ServerApi, settings: Settings, log: Logger): Promise<Joined> {
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
    const problem = `--cluster-queue: the queue does not take the data of the cluster: ${describeCause(cause)}`;
    throw new PlatenError('boot_invalid_flag', `${problem}; ${adviseOn(cause)}`, { cause });
  }
  const front = role === 'worker' ? undefined : createFront({ queue, log, limit, lockMs, replyTo, protections: protectionsOf(server) });
  const worker =
    role === 'front' ? undefined : startWorker({ server, url, name, concurrency: capacity, lockMs, log, onFront: members.addFront });
  return { settings, queue, members, front, worker, state: () => state };
}

/** Before the server listens, a front has no address. */
function describeFront(url: string): Pick<Member, 'url'> {
  return url === '' ? {} : { url };
}
