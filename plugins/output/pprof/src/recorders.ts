import {
  addSourceUrl,
  contextKey,
  type ContextKey,
  type EventPayload,
  type Page,
  PlatenError,
  type RenderContext,
  type TargetSession,
  withTimeout,
} from '@platen/kernel';
import { readPageStart } from '@platen/lib-navigation-start';
import { redactionKey } from '@platen/lib-redaction';
import type { CpuRecording, MemoryRecording } from './describe-profile.js';
import type { PprofParams } from './params.js';
import { type ProfileRecorder, recordProfile, type Segment } from './record-profile.js';
import { createCpuSampler, createMemorySampler } from './sampler.js';

const WORLD = 'platen-pprof';
const LISTENER = 'platenBeforeLeaving';

/**
 * The listener is the document's first, in an isolated world. Frames need none, and the empty document with which a popup begins: leaving
 * them loses no data.
 */
const LEAVING = addSourceUrl(
  `if (window === window.top && document.URL !== 'about:blank') addEventListener('beforeunload', function ${LISTENER}() { debugger; });`,
);

/** `debug` is from the console API: a call of the function then pauses before it runs. Pages do not see it. */
const ENDING_BY_PAGE = addSourceUrl(`if (typeof debug === 'function') debug(Worker.prototype.terminate);`);
const ENDING_BY_WORKER = addSourceUrl(
  `if (typeof debug === 'function') { debug(close); if (typeof Worker === 'function') debug(Worker.prototype.terminate); }`,
);

/** Timeout after which the page resumes, whatever is still missing. */
const HOLD_MS = 2000;

type Context = RenderContext<PprofParams>;

/** Stops a recorder once and returns its data. */
type Stop<T> = () => Promise<T>;

const CPU = contextKey<Stop<CpuRecording>>('cpu profile');
const MEMORY = contextKey<Stop<MemoryRecording>>('memory profile');

export function startProfilers(context: Context): void {
  const { plan, params, page } = context;
  const cpu = plan.capture.kind === 'cpu_profile' || params.with_pprof_cpu === true ? startCpu(context) : undefined;
  const memory = plan.capture.kind === 'memory_profile' || params.with_pprof_memory === true ? startMemory(context) : undefined;
  const started = [cpu, memory].filter((recorder) => recorder !== undefined);
  const takeAll = async () => {
    for (const recorder of started) await recorder.take();
  };
  const leaving = params.pprof_captures_navigation === true ? takeAll : undefined;
  // Memory of a terminated worker is no longer in use: only its CPU time is lost.
  const ending = cpu && (() => cpu.takeWorkers());
  handleDebuggerPauses(page, { leaving, ending });
}

export function stopCpu(context: Context): Promise<CpuRecording> {
  return stopRecorder(context, CPU);
}

export function stopMemory(context: Context): Promise<MemoryRecording> {
  return stopRecorder(context, MEMORY);
}

function startCpu(context: Context): ProfileRecorder<unknown> {
  const { params, plan } = context;
  const wholeNavigation = params.pprof_captures_navigation === true;
  const recorder = recordProfile(context, createCpuSampler(params));
  const stop = async () => {
    const pageStart = wholeNavigation ? undefined : readPageStart(context.page);
    const segments = redact(context, await recorder.stop({ captured: context.page, wholeNavigation }));
    return { url: plan.url, segments, stoppedAt: new Date(), from: await pageStart };
  };
  context.set(CPU, once(stop));
  return recorder;
}

function startMemory(context: Context): ProfileRecorder<unknown> {
  const { params, plan } = context;
  const startedAt = new Date();
  const recorder = recordProfile(context, createMemorySampler(params));
  const wholeNavigation = params.pprof_captures_navigation === true;
  const stop = async () => {
    const segments = redact(context, await recorder.stop({ captured: context.page, wholeNavigation }));
    return { url: plan.url, startedAt, segments, stoppedAt: new Date() };
  };
  context.set(MEMORY, once(stop));
  return recorder;
}

/** URLs of documents and scripts may contain secrets that were filled in. */
function redact<T>({ get }: Context, segments: readonly Segment<T>[]): readonly Segment<T>[] {
  const redaction = get(redactionKey);
  if (redaction === undefined) return segments;
  return segments.map((segment) => ({ ...segment, url: redaction.text(segment.url), profile: redaction.value(segment.profile) }));
}

async function stopRecorder<T>(context: Context, key: ContextKey<Stop<T>>): Promise<T> {
  const stop = context.get(key);
  if (stop === undefined) throw new PlatenError('internal', `the ${key.description} was not started`);
  return stop();
}

function once<T>(run: () => Promise<T>): Stop<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= run());
}

/** Called while a target is paused and is about to lose data. */
interface PauseHandlers {
  /**
   * A document of the page is about to be unloaded. From the beginning of a navigation the browser delays commands until the next document
   * exists, and the profilers end with the old one: only a pause before that leaves time to read them.
   */
  readonly leaving?: (() => Promise<unknown>) | undefined;
  /** A worker is about to be terminated, by itself or by its creator. Its profiler would end with it. */
  readonly ending?: (() => Promise<unknown>) | undefined;
}

/**
 * Enables the debugger, which reports the targets' scripts and pauses targets. Resumes immediately from the page's own `debugger`
 * statements.
 */
function handleDebuggerPauses(page: Page, handlers: PauseHandlers): void {
  page.targets.configure((target) => {
    if (target.kind === 'worklet' || target.kind === 'service_worker') return [];
    target.on('Debugger.paused', (pause) => {
      // A pause of another client, which resumes it itself.
      if (pause.reason === 'instrumentation') return;
      const held = Promise.resolve(workOf(pause, handlers)?.()).catch(() => undefined);
      void withTimeout(held, HOLD_MS).finally(() => {
        target.send('Debugger.resume').catch(() => undefined);
      });
    });
    return [
      target.send('Debugger.enable'),
      ...(handlers.leaving === undefined || target.kind !== 'page' ? [] : stopAtLeaving(target)),
      ...(handlers.ending === undefined ? [] : stopAtEnding(target)),
    ];
  });
}

function workOf({ reason, callFrames: [innermost] }: EventPayload<'Debugger.paused'>, { leaving, ending }: PauseHandlers) {
  if (reason === 'debugCommand') return ending;
  return innermost?.functionName === LISTENER ? leaving : undefined;
}

function stopAtLeaving({ send }: TargetSession): readonly Promise<unknown>[] {
  return [send('Page.addScriptToEvaluateOnNewDocument', { source: LEAVING, worldName: WORLD })];
}

function stopAtEnding(target: TargetSession): readonly Promise<unknown>[] {
  if (!target.hasDocuments) return target.inject(ENDING_BY_WORKER, { commandLine: true });
  return [
    target.send('Page.enable'),
    target.send('Page.addScriptToEvaluateOnNewDocument', { source: ENDING_BY_PAGE, includeCommandLineAPI: true }),
  ];
}
