import type { Progress as WalkProgress } from '@platen/kernel';

/** Least milliseconds between two notifications. */
const PACE_MS = 500;

/** The kernel's phases as a client knows them, in order. A phase that runs again (a retry) is not reported again. */
const PHASES: readonly (readonly [word: string, phases: readonly string[]])[] = [
  ['queued', []],
  ['loading', ['open', 'beforeNavigate', 'navigate']],
  ['waiting', ['wait']],
  ['capturing', ['capture', 'additionalAssets']],
  ['encoding', ['encode']],
];

/** `params` of `notifications/progress`, without the token. */
export interface ProgressNote {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Reports a render. Nothing is sent after it is disposed of. */
export interface Progress extends Disposable {
  phase(name: string): void;
  pages(progress: WalkProgress): void;
}

type Pending = Pick<WalkProgress, 'done' | 'failed' | 'queued'> | undefined;

/** `progress` increases with every notification; of a walk it is the number of pages, or of steps, as far as possible. */
export function createProgress(send: (note: ProgressNote) => void): Progress {
  let [sent, sentAt, rank, isOver] = [0, -Infinity, -1, false];
  let pending: { readonly message: string; readonly counts: Pending } | undefined;
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (pending === undefined) return;
    const { message, counts } = pending;
    pending = undefined;
    if (message === last) return;
    const done = counts === undefined ? 0 : counts.done + counts.failed;
    const total = counts === undefined ? 0 : done + counts.queued;
    [sent, sentAt, last] = [Math.max(sent + 1, done), performance.now(), message];
    send({ progress: sent, message, ...(total >= sent ? { total } : {}) });
  };
  const tell = (message: string, counts?: Pending) => {
    pending = { message, counts };
    if (timer !== undefined || isOver) return;
    const leftMs = sentAt + PACE_MS - performance.now();
    if (leftMs <= 0) flush();
    else timer = setTimeout(flush, leftMs);
  };
  const reach = (next: number) => {
    if (next <= rank) return;
    rank = next;
    tell(PHASES[rank]?.[0] ?? '');
  };
  reach(0);
  return {
    phase(name) {
      reach(PHASES.findIndex(([, phases]) => phases.includes(name)));
    },
    pages(progress) {
      tell(describe(progress), progress);
    },
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Without URLs and notes: they are the page's words, and the client may show them to its model. */
function describe({ unit, done, queued, failed }: WalkProgress): string {
  if (unit === 'step') return `step ${String(done)} of ${String(done + queued)}`;
  return `${String(done)} pages done, ${String(queued)} queued, ${String(failed)} failed`;
}
