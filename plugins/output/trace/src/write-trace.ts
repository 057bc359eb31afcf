import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { PlatenError } from '@platen/kernel';
import type { Redaction } from '@platen/lib-redaction';
import type { Trace } from './record-trace.js';
import { createTraceSplitter } from './split-trace.js';

export interface WriteOptions {
  readonly url: string;
  readonly deviceScaleFactor: number;
  /** Includes every visited page, not only the final one. */
  readonly wholeNavigation: boolean;
  readonly gzip: boolean;
  /** Of secrets that were filled in. */
  readonly redaction?: Redaction | undefined;
  /** Called when all of it has been read from the browser. */
  readonly onRead?: () => void;
}

/** The trace as a file in JSON object format: streamed from the browser, one event at a time. */
export function writeTrace(trace: Trace, options: WriteOptions): Readable {
  const text = Readable.from(generate(trace, options), { objectMode: false });
  if (!options.gzip) return text;
  // Returns a separate stream for the consumer: together with the pipeline's own listeners, one stream would exceed Node.js's listener
  // limit.
  return Readable.from(
    pipeline(text, createGzip(), () => undefined),
    { objectMode: false },
  );
}

async function* generate(trace: Trace, options: WriteOptions): AsyncGenerator<string, void> {
  const { url, deviceScaleFactor, wholeNavigation, onRead, redaction } = options;
  const from = wholeNavigation ? undefined : trace.pageStart;
  const trim = from === undefined ? (event: string) => event : createEventTrimmer(from);
  const splitter = createTraceSplitter();
  let browser: Readonly<Record<string, unknown>> = {};
  let separator = '{"traceEvents":[\n';
  for await (const piece of trace.read()) {
    let out = '';
    for (const { kind, text } of splitter.push(piece)) {
      if (kind === 'metadata') browser = chooseMetadata(text);
      const trimmed = kind === 'event' ? trim(text) : undefined;
      if (trimmed === undefined) continue;
      out += separator + redactEvent(withoutUserinfo(trimmed), redaction);
      separator = ',\n';
    }
    if (out !== '') yield out;
  }
  onRead?.();
  if (!splitter.complete) throw new PlatenError('encode_failed', 'the trace is incomplete', { retryable: true });
  const metadata = {
    // By this word DevTools recognizes that the categories are its own.
    source: 'DevTools',
    dataOrigin: 'TraceEvents',
    startTime: trace.startedAt.toISOString(),
    hostDPR: deviceScaleFactor,
    ...browser,
    url: withoutUserinfo(url),
    trimmedToFinalPage: from !== undefined,
    dataLossOccurred: trace.dataLoss,
  };
  yield `${separator === ',\n' ? '' : separator}\n],\n"metadata":${JSON.stringify(metadata)}}\n`;
}

/** An event is parsed only if it contains a secret. */
function redactEvent(text: string, redaction: Redaction | undefined): string {
  if (redaction === undefined || redaction.text(text) === text) return text;
  return JSON.stringify(redaction.value<unknown>(JSON.parse(text)));
}

/** Metadata that readers use. The rest is the browser's command line, with the host's paths, and lists of constants. */
const BROWSER_METADATA = ['clock-domain', 'cpu-num-cores', 'os-name', 'product-version', 'revision', 'user-agent'];

function chooseMetadata(text: string): Readonly<Record<string, unknown>> {
  const all: unknown = JSON.parse(text);
  return Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => BROWSER_METADATA.includes(key)));
}

/** Removes the userinfo of URLs in a text, which may be JSON: credentials are not part of a page's activity. */
function withoutUserinfo(text: string): string {
  // Fast path: most events do not contain this character.
  return text.includes('@') ? text.replace(/\b((?:https?|wss?|ftp):\/\/)[^/?#\s"'<>\\]*@/gi, '$1') : text;
}

/** The members of an event that determine whether it is included (Trace Event Format). */
interface TraceEvent {
  readonly name?: string;
  /** The phase: M is metadata. */
  readonly ph?: string;
  /** Microseconds. */
  readonly ts?: number;
  readonly pid?: number;
  readonly id?: string;
  readonly args?: { readonly data?: ProfileChunk };
}

/** A chunk of a CPU profile: nodes added to those of earlier chunks, and samples with the time since the previous one. */
interface ProfileChunk {
  readonly cpuProfile?: { readonly nodes?: readonly unknown[]; readonly samples?: readonly number[] };
  readonly timeDeltas?: readonly number[];
}

/**
 * Creates the filter that reduces a trace's events to those from a given moment on. Returns the event's text, modified if necessary;
 * undefined for an omitted event. Data that later events need stays: names of processes and threads, the frames at the start of the trace,
 * and the nodes of CPU profiles, whose chunks build on each other.
 */
export function createEventTrimmer(from: number): (text: string) => string | undefined {
  const dropped = new Map<string, number>();
  return (text) => {
    const event = parseEvent(text);
    const { name, ph, ts = 0 } = event;
    if (ph === 'M' || name === 'Profile') return text;
    if (name === 'ProfileChunk') return trimChunk(text, event, { from, dropped });
    if (ts >= from) return text;
    // It contains the frames; readers begin the time line with it.
    return name === 'TracingStartedInBrowser' ? JSON.stringify({ ...event, ts: from }) : undefined;
  };
}

interface ChunkTrim {
  readonly from: number;
  /** Microseconds of omitted samples, by profile: the next sample's delta starts at the last omitted one. */
  readonly dropped: Map<string, number>;
}

function trimChunk(text: string, event: TraceEvent, { from, dropped }: ChunkTrim): string | undefined {
  const { ts = 0, pid, id, args: { data = {} } = {} } = event;
  const profile = `${String(pid)}:${String(id)}`;
  const { cpuProfile: { nodes } = {}, timeDeltas = [] } = data;
  const gap = dropped.get(profile) ?? 0;
  if (ts < from) {
    dropped.set(
      profile,
      timeDeltas.reduce((sum, delta) => sum + delta, gap),
    );
    return nodes === undefined ? undefined : JSON.stringify({ ...event, args: { data: { cpuProfile: { nodes } } } });
  }
  const [first, ...others] = timeDeltas;
  if (gap === 0 || first === undefined) return text;
  dropped.delete(profile);
  return JSON.stringify({ ...event, args: { data: { ...data, timeDeltas: [first + gap, ...others] } } });
}

function parseEvent(text: string): TraceEvent {
  // The browser's own JSON in its documented format; every member is treated as optional.
  return JSON.parse(text) as TraceEvent;
}
