import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { PlatenError } from '@platen/kernel';
import type { Trace } from './record-trace.js';
import { createTraceSplitter } from './split-trace.js';
import { createEventTrimmer } from './trim-events.js';
import { withoutUserinfo } from './without-userinfo.js';

export interface WriteOptions {
  readonly url: string;
  readonly deviceScaleFactor: number;
  /** Includes every visited page, not only the final one. */
  readonly wholeNavigation: boolean;
  readonly gzip: boolean;
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
  const { url, deviceScaleFactor, wholeNavigation, onRead } = options;
  const from = wholeNavigation ? undefined : trace.pageStart;
  const trim = from === undefined ? (event: string) => event : createEventTrimmer(from);
  const splitter = createTraceSplitter();
  let browser: Readonly<Record<string, unknown>> = {};
  let separator = '{"traceEvents":[\n';
  for await (const piece of trace.read()) {
    let out = '';
    for (const { kind, text } of splitter.push(piece)) {
      if (kind === 'metadata') browser = chooseMetadata(text);
      const kept = kind === 'event' ? trim(text) : undefined;
      if (kept === undefined) continue;
      out += separator + withoutUserinfo(kept);
      separator = ',\n';
    }
    if (out !== '') yield out;
  }
  onRead?.();
  if (!splitter.complete) throw new PlatenError('encode_failed', 'the trace breaks off', { retryable: true });
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

/** Metadata that readers use. The rest is the browser's command line, with the host's paths, and lists of constants. */
const BROWSER_METADATA = ['clock-domain', 'cpu-num-cores', 'os-name', 'product-version', 'revision', 'user-agent'];

function chooseMetadata(text: string): Readonly<Record<string, unknown>> {
  const all: unknown = JSON.parse(text);
  return Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => BROWSER_METADATA.includes(key)));
}
