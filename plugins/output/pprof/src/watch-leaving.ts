import { nameOwnScript, type Page } from '@platen/kernel';

const WORLD = 'platen-pprof';
const LISTENER = 'platenBeforeLeaving';
/** The listener is the document's first, in a world of its own; frames that are left take nothing with them. */
const SOURCE = nameOwnScript(`if (window === window.top) addEventListener('beforeunload', function ${LISTENER}() { debugger; });`);

/** The page goes on after this, whatever is not there yet. */
const HOLD_MS = 2000;

/**
 * Calls `take` whenever a document of the page is about to be left, and holds the page meanwhile. From the moment in which a
 * navigation begins the browser keeps commands back until the next document is there, and the profilers end with the old one: only
 * a pause before that leaves time to ask. The page's own `debugger` statements go on at once.
 */
export function onLeaving(page: Page, take: () => Promise<unknown>): void {
  page.on('Debugger.paused', ({ callFrames: [innermost] }) => {
    const held = innermost?.functionName === LISTENER ? atMost(HOLD_MS, take()) : Promise.resolve();
    void held.finally(() => {
      page.send('Debugger.resume').catch(() => undefined);
    });
  });
  page.targets.configure(({ primary, send }) =>
    primary ? [send('Debugger.enable'), send('Page.addScriptToEvaluateOnNewDocument', { source: SOURCE, worldName: WORLD })] : [],
  );
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
