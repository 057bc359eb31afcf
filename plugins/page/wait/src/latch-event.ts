import { randomBytes } from 'node:crypto';
import { addSourceUrl, type Page } from '@platen/kernel';
import { LOOK_MS, pollUntil } from './wait-for-selector.js';

export interface EventLatch {
  /** Resolves once the event has fired in the current main document, including before this call. */
  fired(signal: AbortSignal): Promise<void>;
}

/**
 * Listens for the event from the start of each document. The listener is in an isolated world: it receives the same events as the page's
 * own listeners, in the capture phase at the window, and is invisible to the page.
 */
export async function latchEvent(page: Page, name: string): Promise<EventLatch> {
  const worldName = `wait-${randomBytes(8).toString('hex')}`;
  const latch = { page, worldName, name };
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: addSourceUrl(`(${listen.toString()})(${JSON.stringify(name)})`),
    worldName,
  });
  // Chromium runs the script just before a document's first script. This call installs the listener in documents without scripts.
  page.on('Page.frameNavigated', ({ frame }) => {
    // If this fails, the document is gone, or the next poll installs the listener.
    if (frame.parentId === undefined) look(latch, 0).catch(() => undefined);
  });
  return { fired: (signal) => pollUntil(() => look(latch, LOOK_MS), signal) };
}

interface Latch {
  readonly page: Page;
  readonly worldName: string;
  readonly name: string;
}

/** False if the event did not fire during this poll. Throws if the document disappeared. */
async function look({ page, worldName, name }: Latch, milliseconds: number): Promise<boolean> {
  // Returns the existing world of this name, if any.
  const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId: page.mainFrameId, worldName });
  const { result, exceptionDetails } = await page.send('Runtime.callFunctionOn', {
    functionDeclaration: addSourceUrl(
      `(name, ms) => Promise.race([(${listen.toString()})(name), new Promise((resolve) => setTimeout(resolve, ms, false))])`,
    ),
    arguments: [{ value: name }, { value: milliseconds }],
    executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error('the document went away');
  return result.value === true;
}

/**
 * Runs in the page, repeatedly; returns the promise of the event. Load events may have fired before the first call, so it checks the
 * timings.
 */
function listen(name: string): Promise<true> {
  const world: typeof globalThis & { fired?: Promise<true> } = globalThis;
  return (world.fired ??= new Promise((resolve) => {
    const options = { capture: true, once: true };
    addEventListener(
      name,
      () => {
        resolve(true);
      },
      options,
    );
    const [timing] = performance.getEntriesByType('navigation');
    if (!(timing instanceof PerformanceNavigationTiming)) return;
    if (name === 'DOMContentLoaded' && timing.domContentLoadedEventStart > 0) resolve(true);
    if (name === 'load' && timing.loadEventStart > 0) resolve(true);
  }));
}
