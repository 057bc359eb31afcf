import { setTimeout as delay } from 'node:timers/promises';
import {
  type Fragments,
  type InferParams,
  type RenderContext,
  type TargetSession,
  type TargetTree,
  withoutUserinfo,
  withTimeout,
} from '@platen/kernel';
import { redactionKey } from '@platen/lib-redaction';
import { createSpool } from '@platen/lib-spool';
import type { RecordingSpool } from './body-recording.js';
import { type BodySessions, createBodies } from './collect-bodies.js';
import { type Describing, describeExchanges } from './describe-exchange.js';
import type { PendingExchange } from './pending-exchange.js';
import type { ExchangeRecord } from './exchange.js';
import { createExchangeTable, type ExchangeTable } from './exchange-table.js';
import { type Following, followRequests } from './follow-requests.js';
import { followSockets } from './follow-sockets.js';
import { redactVisit } from './redact-exchange.js';
import { trackNavigations, type Visits } from './track-navigations.js';
import type { IdleOptions, RecorderOptions, TakenRecord } from './keys.js';

export const NETWORK_PARAMS = {
  archive_body_size_limit: {
    type: 'integer',
    format: 'uint64',
    description: 'Maximum number of bytes to capture of each response body. Absent: no limit.',
    minimum: 0,
    examples: [1_048_576],
  },
} as const satisfies Fragments;

export type NetworkParams = InferParams<typeof NETWORK_PARAMS>;

export interface Recording {
  /** Ends the recording. Its bodies are deleted with the render. */
  stop(): Promise<ExchangeRecord>;
  /** Ends the part since the beginning or the last call, and begins the next one. */
  take(): Promise<TakenRecord>;
  /** See `ExchangeRecorder`. */
  waitForIdle(options: IdleOptions): Promise<void>;
  requests(): number;
}

const VERSION_MS = 1000;
/** For worker scripts that are in flight when the recording ends: a page's load event does not wait for them. */
const WORKER_SCRIPTS_MS = 2000;
/** For the rest of the bodies in progress when the recording ends; a busy page does not respond. */
const CATCH_UP_MS = 5000;
const HURRIED_CATCH_UP_MS = 1000;
/** For bodies that are being read when the recording ends; less if the render's time is already up. */
const SETTLE_MS = 10_000;
const HURRIED_MS = 2500;

export interface RecordingOptions extends RecorderOptions {
  /** Of a further tab: the first one. */
  readonly firstTab: TargetTree | undefined;
}

/** Chromium does not report whose worker it is: every tab records it. */
function isShared({ kind }: TargetSession): boolean {
  return kind === 'shared_worker' || kind === 'service_worker';
}

/** Listens on all current and future targets. */
export function startRecording(context: RenderContext<NetworkParams>, { firstTab, ...options }: RecordingOptions): Recording {
  const { targets } = context.page;
  const sessions: BodySessions = new WeakMap();
  let part = startPart(context, { ...options, sessions });
  let isOver = false;
  context.onRenderEnd(() => {
    isOver = true;
    return part.close();
  });
  targets.configure((target) => part.follow(target));
  firstTab?.configure((target) => (isOver || !isShared(target) ? [] : part.follow(target)));
  return {
    stop: () => part.stop(),
    waitForIdle: (options) => untilIdle(() => part, options),
    requests: () => part.requests(),
    async take() {
      const ended = part;
      const record = await ended.stop();
      part = startPart(context, { ...options, sessions });
      // Their domains are enabled already.
      for (const target of [...targets.all, ...(firstTab?.all.filter(isShared) ?? [])])
        Promise.all(part.follow(target)).catch(() => undefined);
      return { ...record, [Symbol.asyncDispose]: ended.close };
    },
  };
}

/** The recording between two calls of `take`. */
interface RecordingPart {
  /** The returned promises must resolve before the target's first request. */
  follow(target: TargetSession): readonly Promise<unknown>[];
  stop(): Promise<ExchangeRecord>;
  /** Whether a request is in flight that is expected to end. */
  isLoading(): boolean;
  requests(): number;
  /** Deletes the bodies. */
  close(): Promise<void>;
}

interface PartOptions extends RecorderOptions {
  readonly sessions: BodySessions;
}

function startPart(context: RenderContext<NetworkParams>, { bodies: wanted, sessions }: PartOptions): RecordingPart {
  const { page, egress, params } = context;
  const limit = params.archive_body_size_limit;
  const spool = openSpool(context);
  const table = createExchangeTable();
  const visits = trackNavigations(page, table);
  const bodies = createBodies({ page, spool, wanted, limit, sessions });
  const scripts = followWorkerScripts(table);
  const following: Following = {
    table,
    spool,
    bodies,
    visits,
    ended(pending, target) {
      bodies.ended(pending, target);
      scripts.check();
    },
  };
  const stops: (() => void)[] = [];
  let stopped = false;
  return {
    follow(target) {
      if (stopped) return [];
      visits.follow(target);
      stops.push(followRequests(target, following), followSockets(target, following, limit), followDownloads(target, table));
      return bodies.follow(target);
    },
    async stop() {
      const [version] = await Promise.all([
        withTimeout(page.send('Browser.getVersion'), VERSION_MS).catch(() => undefined),
        visits.stop(context.page),
        bodies.flushEvents(context.signal.aborted ? HURRIED_CATCH_UP_MS : CATCH_UP_MS),
      ]);
      // Last: a request made by a script that has arrived is in flight by then, or is not recorded.
      if (!context.signal.aborted) await withTimeout(scripts.ended(), WORKER_SCRIPTS_MS);
      stopped = true;
      for (const stop of stops) stop();
      await bodies.settle(context.signal.aborted ? HURRIED_MS : SETTLE_MS);
      const entries = [...egress.entries];
      return describeRecord({ table, visits, spool, product: version?.product, describing: { entries, bodiesWanted: wanted } });
    },
    isLoading: () => table.exchanges.some(({ end, socket, type }) => end === undefined && socket === undefined && type !== 'EventSource'),
    requests: () => table.exchanges.length,
    close: spool.close,
  };
}

interface RecordFacts {
  readonly table: ExchangeTable;
  readonly visits: Visits;
  readonly spool: RecordingSpool;
  /** `Chrome/156.0.8078.79` */
  readonly product: string | undefined;
  readonly describing: Pick<Describing, 'entries' | 'bodiesWanted'>;
}

function describeRecord({ table, visits, spool: { redaction }, product = '', describing }: RecordFacts): ExchangeRecord {
  const [, number = ''] = product.split('/');
  const exchanges = describeExchanges(table, { ...describing, visits, redaction });
  return {
    browser: { name: 'Chromium', version: number },
    visits: visits.list().map((visit) => redactVisit(visit, redaction)),
    count: exchanges.length,
    dropped: table.dropped,
    exchanges: () => inOrder(exchanges),
  };
}

function openSpool({ get }: Pick<RenderContext, 'get'>): RecordingSpool & Pick<RecordingPart, 'close'> {
  const files = createSpool();
  return {
    redaction: get(redactionKey),
    openWriter: () => files.openWriter(),
    close: async () => files[Symbol.asyncDispose](),
  };
}

const LOOK_MS = 25;

async function untilIdle(
  current: () => Pick<RecordingPart, 'isLoading' | 'requests'>,
  { idleMs, maxMs, signal }: IdleOptions,
): Promise<void> {
  const begun = performance.now();
  let idleSince = begun;
  let requests = current().requests();
  for (let now = begun; now - begun < maxMs && now - idleSince < idleMs; now = performance.now()) {
    const leftMs = Math.min(idleMs - (now - idleSince), maxMs - (now - begun));
    await delay(Math.min(LOOK_MS, Math.ceil(leftMs)), undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    const part = current();
    if (part.isLoading() || part.requests() !== requests) idleSince = performance.now();
    requests = part.requests();
  }
}

/** `ended` resolves when none of the scripts is in flight; `check` is to be called whenever a request has ended. */
function followWorkerScripts(table: Pick<ExchangeTable, 'exchanges'>): { check(): void; ended(): Promise<void> } {
  let check = (): void => undefined;
  return {
    check: () => {
      check();
    },
    ended: () =>
      new Promise((resolve) => {
        check = () => {
          if (!table.exchanges.some(isWorkerScriptInFlight)) resolve();
        };
        check();
      }),
  };
}

/** The page requests a worker's own script, without a loader. The worker requests its imports, and a service worker's script. */
function isWorkerScriptInFlight({ type, loaderId, target, end }: PendingExchange): boolean {
  return end === undefined && type === 'Script' && (loaderId === '' || target.kind.endsWith('worker'));
}

/** The descriptions are built as they are read: their number is limited, but their text is not. */
async function* inOrder<T>(makers: readonly (() => T)[]): AsyncGenerator<Awaited<T>> {
  for (const make of makers) yield await make();
}

/**
 * A document that becomes a download is reported as a canceled load. If the file arrives, the exchange has not failed: its body went to
 * the file, not to the page. Returns a function that ends the tracking.
 */
function followDownloads(target: TargetSession, table: ExchangeTable): () => void {
  const downloads = new Map<string, PendingExchange>();
  const listening = [
    target.on('Page.downloadWillBegin', ({ guid, frameId, url }) => {
      const wanted = withoutUserinfo(url.replace(/#.*/, ''));
      const pending = table.exchanges.findLast((one) => one.frameId === frameId && one.url.replace(/#.*/, '') === wanted);
      if (pending?.response) downloads.set(guid, pending);
    }),
    target.on('Page.downloadProgress', ({ guid, state, receivedBytes }) => {
      const pending = downloads.get(guid);
      if (!pending || state !== 'completed') return;
      Object.assign(pending, { failure: undefined, body: undefined, seen: receivedBytes });
    }),
  ];
  return () => {
    for (const stop of listening) stop();
  };
}
