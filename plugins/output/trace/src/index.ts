import {
  contextKey,
  definePlugin,
  type Fragments,
  type InferParams,
  PlatenError,
  type RenderContext,
  Stage,
  untilAborted,
} from '@platen/kernel';
import { waitForStablePage } from '@platen/lib-page-layout';
import { redactionKey } from '@platen/lib-redaction';
import { recordTrace, type Trace, type TraceRecorder } from './record-trace.js';
import { writeTrace } from './write-trace.js';

const TRACE_PARAMS = {
  with_trace: {
    type: 'boolean',
    description: 'Return a performance trace as an additional asset.',
    default: false,
    examples: [true],
    'x-search': ['performance', 'devtools'],
  },
  trace_captures_navigation: {
    type: 'boolean',
    description: 'Include every visited page in the trace. By default it is trimmed to the final page.',
    default: false,
    examples: [true],
  },
  trace_no_gzip: {
    type: 'boolean',
    description:
      'Skip gzip of the trace. On the command line, the extension of the output file decides: ".json" is plain, ".json.gz" is gzip.',
    default: false,
    examples: [true],
  },
  trace_no_screenshots: {
    type: 'boolean',
    description: 'Omit the screenshot filmstrip from the trace.',
    default: false,
    examples: [true],
  },
} as const satisfies Fragments;

type TraceParams = InferParams<typeof TRACE_PARAMS>;

export type { Trace } from './record-trace.js';

declare module '@platen/kernel' {
  interface CaptureKinds {
    trace: Trace;
  }
}

const PAINT_MS = 5000;

const RECORDER = contextKey<TraceRecorder>('trace');

const WANTED = { capture: 'trace', asset: 'with_trace' } as const;

export default definePlugin({
  name: 'trace',
  captures: [{ kind: 'trace', streaming: true, spansDocuments: true }],
  outputs: [
    {
      type: 'trace',
      from: 'trace',
      contentType: 'application/gzip',
      extension: 'trace.json.gz',
      endings: ['trace.json'],
      noGzipKey: 'trace_no_gzip',
    },
  ],
  assets: [{ key: 'with_trace', name: 'trace' }],
  params: TRACE_PARAMS,
  planFor: WANTED,
  plan({ browser }) {
    // A trace covers all processes of a browser, so other renders must not share it.
    browser.exclusive = true;
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise({ name: 'trace', for: WANTED }, async (context) => {
      context.set(RECORDER, await recordTrace(context.page, { screenshots: context.params.trace_no_screenshots !== true }));
    });
    hooks.capture.for('trace').tapPromise('trace', async (context) => {
      context.setWaitReason('the page to be painted');
      await settle(context);
      context.setWaitReason("the browser's trace");
      return stopRecorder(context);
    });
    hooks.additionalAssets.tapPromise({ name: 'trace', stage: Stage.early, for: { asset: 'with_trace' } }, async (context, assets) => {
      if (context.get(RECORDER) === undefined) return;
      const { contentType, extension, body } = describeFile(await stopRecorder(context), context);
      await assets.add({ name: 'trace', contentType, extension, forViewers: true, body });
    });
    hooks.encode.for('trace').tapPromise('trace', (trace, context) => {
      // The browser is released when all is read, however slowly the client reads.
      return Promise.resolve(describeFile(trace, context, context.release));
    });
  },
});

/** No screenshot waits for painting, but the trace should also contain the painting of loaded content. */
async function settle({ page, signal }: RenderContext<TraceParams>): Promise<void> {
  // A page that is too busy to be painted is traced as it is.
  await untilAborted(waitForStablePage(page, { moved: true }), AbortSignal.timeout(PAINT_MS)).catch(() => undefined);
  signal.throwIfAborted();
}

function stopRecorder(context: RenderContext<TraceParams>): Promise<Trace> {
  const recorder = context.get(RECORDER);
  if (recorder === undefined) throw new PlatenError('internal', 'the trace was not started');
  return recorder.stop(context.page);
}

function describeFile(trace: Trace, { plan, params, get }: Pick<RenderContext<TraceParams>, 'plan' | 'params' | 'get'>, onRead = () => {}) {
  const gzip = params.trace_no_gzip !== true;
  const body = writeTrace(trace, {
    url: plan.url,
    deviceScaleFactor: plan.profile.deviceScaleFactor,
    wholeNavigation: params.trace_captures_navigation === true,
    gzip,
    redaction: get(redactionKey),
    onRead,
  });
  return gzip
    ? { contentType: 'application/gzip', extension: 'trace.json.gz', body }
    : { contentType: 'application/json', extension: 'trace.json', body };
}
