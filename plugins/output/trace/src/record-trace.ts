import { type EventPayload, isPlatenError, type Page, PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import { readPageStart } from '@platen/lib-navigation-start';

/** The categories that the Performance panel of DevTools records; all others are excluded. */
const CATEGORIES = [
  'toplevel',
  'navigation',
  'rail',
  'loading',
  'latencyInfo',
  'blink.console',
  'blink.user_timing',
  'cppgc',
  'v8.execute',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.invalidationTracking',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-lighthouse',
  'disabled-by-default-v8.cpu_profiler',
];

/** A recorded trace that is still in the browser. */
export interface Trace {
  readonly startedAt: Date;
  /** Start of the final page in microseconds of the trace's clock; undefined if the page did not report it. */
  readonly pageStart: number | undefined;
  /** The browser's buffer was full: later events are missing. */
  readonly dataLoss: boolean;
  /** The browser's JSON text in chunks, from its beginning; may be read again. */
  read(): AsyncGenerator<string, void>;
}

export interface TraceRecorder {
  /** Stops the recording once. `captured`: a popup that is captured in place of the page. */
  stop(captured?: Page): Promise<Trace>;
}

export interface RecordOptions {
  readonly screenshots: boolean;
  /** Kilobytes of the browser's buffer; default: the browser's own size. */
  readonly bufferKb?: number;
}

/** Timeout: all processes flush their buffers, and the browser serializes them to JSON, which takes seconds for hundreds of megabytes. */
const STOP_MS = 90_000;
const PIECE_BYTES = 2 ** 20;
const FULL_DISK = `${TEMPORARY_DISK} may be full`;
/** Usually it takes a tenth of that. */
const GATHER_MS = 400;

/** Starts to trace (Tracing.start) all processes of the browser, which must be dedicated to the page. */
export async function recordTrace(page: Page, { screenshots, bufferKb }: RecordOptions): Promise<TraceRecorder> {
  const startedAt = new Date();
  await page.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    streamFormat: 'json',
    traceConfig: {
      recordMode: 'recordUntilFull',
      includedCategories: listCategories({ screenshots }),
      excludedCategories: ['*'],
      ...(bufferKb === undefined ? {} : { traceBufferSizeInKb: bufferKb }),
    },
  });
  let showsError = false;
  page.on('Page.frameNavigated', ({ frame: { parentId, unreachableUrl } }) => {
    if (parentId === undefined) showsError = unreachableUrl !== undefined;
  });
  let stopping: Promise<Trace> | undefined;
  return { stop: (captured = page) => (stopping ??= stopTrace(page, { startedAt, captured, showsError: () => showsError })) };
}

interface Stopping {
  readonly startedAt: Date;
  readonly captured: Page;
  /** Whether the page is the browser's error page for a failed navigation. */
  readonly showsError: () => boolean;
}

async function stopTrace(page: Page, { startedAt, captured, showsError }: Stopping): Promise<Trace> {
  const completed = completion(page);
  const ended = page.send('Tracing.end');
  const asked = readPageStart(captured);
  await ended;
  // The process of an error page often does not flush its buffer until Chromium's timeout of five seconds. The process ends with the page.
  const timer = setTimeout(() => {
    if (showsError()) page.send('Page.navigate', { url: 'about:blank' }).catch(() => undefined);
  }, GATHER_MS);
  const stopWaiting = () => clearTimeout(timer);
  completed.then(stopWaiting, stopWaiting);
  const [pageStart, { stream, dataLossOccurred }] = await Promise.all([asked, completed]);
  if (stream === undefined) throw new PlatenError('encode_failed', `the browser could not return its trace: ${FULL_DISK}`);
  return { startedAt, pageStart, dataLoss: dataLossOccurred, read: () => readStream(page, stream) };
}

/** The event that ends the recording; rejects if the page closes first, or if the browser does not send it in time. */
function completion(page: Page): Promise<EventPayload<'Tracing.tracingComplete'>> {
  const completed = new Promise<EventPayload<'Tracing.tracingComplete'>>((resolve, reject) => {
    const timer = setTimeout(() => {
      stopListening();
      reject(new PlatenError('render_timeout', `the browser did not return its trace within ${String(STOP_MS / 1000)} s`));
    }, STOP_MS);
    const stopListening = page.on('Tracing.tracingComplete', (event) => {
      clearTimeout(timer);
      resolve(event);
    });
    page.onEnd((reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
  // If the call that ends the recording fails, this promise has no other handler.
  completed.catch(() => undefined);
  return completed;
}

async function* readStream(page: Page, handle: string): AsyncGenerator<string, void> {
  for (let offset: number | undefined = 0; ; offset = undefined) {
    const from = offset === undefined ? {} : { offset };
    const { data, eof } = await page.send('IO.read', { handle, size: PIECE_BYTES, ...from }).catch(throwReadError);
    if (data !== '') yield data;
    if (eof) return;
  }
}

/** The browser stores its trace in a file in its temporary directory, and reports only "Read failed" if that is full. */
function throwReadError(cause: unknown): never {
  if (isPlatenError(cause)) throw cause;
  throw new PlatenError('encode_failed', `the browser could not return its trace: ${FULL_DISK}`, { cause });
}

function listCategories({ screenshots }: { readonly screenshots: boolean }): string[] {
  return screenshots ? [...CATEGORIES, 'disabled-by-default-devtools.screenshot'] : CATEGORIES;
}
