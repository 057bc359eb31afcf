import { addSourceUrl, type EventPayload, type Page, type TargetSession } from '@platen/kernel';

const WORLD = 'platen-pprof';
const LISTENER = 'platenBeforeLeaving';
/** The listener is the document's first, in a world of its own; frames that are left take nothing with them. */
const LEAVING = addSourceUrl(`if (window === window.top) addEventListener('beforeunload', function ${LISTENER}() { debugger; });`);

/** `debug` is the console's: from then on a call of the function stops before it is carried out. Pages do not see it. */
const ENDING_BY_PAGE = addSourceUrl(`if (typeof debug === 'function') debug(Worker.prototype.terminate);`);
const ENDING_BY_WORKER = addSourceUrl(
  `if (typeof debug === 'function') { debug(close); if (typeof Worker === 'function') debug(Worker.prototype.terminate); }`,
);

/** The page goes on after this, whatever is not there yet. */
const HOLD_MS = 2000;

/** What is done while a target is held, of which something is about to be lost. */
export interface PauseHandlers {
  /**
   * A document of the page is about to be left. From the moment in which a navigation begins the browser keeps commands back until the
   * next document is there, and the profilers end with the old one: only a pause before that leaves time to ask.
   */
  readonly leaving?: (() => Promise<unknown>) | undefined;
  /** A worker is about to be ended, by itself or by who has made it. Its profiler would end with it. */
  readonly ending?: (() => Promise<unknown>) | undefined;
}

/**
 * Enables the debugger, which tells of the targets' scripts, and holds targets by its pauses. Their own `debugger` statements go on at
 * once.
 */
export function handleDebuggerPauses(page: Page, handlers: PauseHandlers): void {
  page.targets.configure((target) => {
    if (target.kind === 'worklet' || target.kind === 'service_worker') return [];
    target.on('Debugger.paused', (pause) => {
      // Somebody else's, who goes on himself.
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
