import { addSourceUrl, type EventPayload, type Page, type TargetSession } from '@platen/kernel';

const WORLD = 'platen-pprof';
const LISTENER = 'platenBeforeLeaving';
/** The listener is the document's first, in an isolated world. Frames need none: leaving them loses no data. */
const LEAVING = addSourceUrl(`if (window === window.top) addEventListener('beforeunload', function ${LISTENER}() { debugger; });`);

/** `debug` is from the console API: a call of the function then pauses before it runs. Pages do not see it. */
const ENDING_BY_PAGE = addSourceUrl(`if (typeof debug === 'function') debug(Worker.prototype.terminate);`);
const ENDING_BY_WORKER = addSourceUrl(
  `if (typeof debug === 'function') { debug(close); if (typeof Worker === 'function') debug(Worker.prototype.terminate); }`,
);

/** Timeout after which the page resumes, whatever is still missing. */
const HOLD_MS = 2000;

/** Called while a target is paused and is about to lose data. */
export interface PauseHandlers {
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
export function handleDebuggerPauses(page: Page, handlers: PauseHandlers): void {
  page.targets.configure((target) => {
    if (target.kind === 'worklet' || target.kind === 'service_worker') return [];
    target.on('Debugger.paused', (pause) => {
      // A pause of another client, which resumes it itself.
      if (pause.reason === 'instrumentation') return;
      const held = workOf(pause, handlers)?.();
      void (held === undefined ? Promise.resolve() : atMost(HOLD_MS, held)).finally(() => {
        target.send('Debugger.resume').catch(() => undefined);
      });
    });
    return [
      target.send('Debugger.enable'),
      ...(handlers.leaving === undefined || !target.primary ? [] : stopAtLeaving(target)),
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
  if (target.kind !== 'page' && target.kind !== 'iframe') return target.inject(ENDING_BY_WORKER, { commandLine: true });
  return [
    target.send('Page.enable'),
    target.send('Page.addScriptToEvaluateOnNewDocument', { source: ENDING_BY_PAGE, includeCommandLineAPI: true }),
  ];
}

function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}
