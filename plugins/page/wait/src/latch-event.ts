import { randomBytes } from 'node:crypto';
import { addSourceUrl, type Page } from '@platen/kernel';
import { LOOK_MS, pollUntil } from './poll-until.js';

export interface EventLatch {
  /** Resolves once the event has been fired in the present main document, be it before anybody waited. */
  fired(signal: AbortSignal): Promise<void>;
}

/**
 * Listens for the event from before each document's first statement on. The listener lives in a world of its own: events reach it
 * as they reach the page's own listeners, in the capture phase at the window, and the page cannot see it.
 */
export async function latchEvent(page: Page, name: string): Promise<EventLatch> {
  const worldName = `wait-${randomBytes(8).toString('hex')}`;
  const latch = { page, worldName, name };
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: addSourceUrl(`(${listen.toString()})(${JSON.stringify(name)})`),
    worldName,
  });
  // Chromium runs that script when a document's first script is about to run. A document without any is listened to from here.
  page.on('Page.frameNavigated', ({ frame }) => {
    // Where this is lost, the document is gone, or the look below listens.
    if (frame.parentId === undefined) look(latch, 0).catch(() => undefined);
  });
  return { fired: (signal) => pollUntil(() => look(latch, LOOK_MS), signal) };
}

interface Latch {
  readonly page: Page;
  readonly worldName: string;
  readonly name: string;
}

/** False where the event did not come within one look. Throws where the document went away. */
async function look({ page, worldName, name }: Latch, milliseconds: number): Promise<boolean> {
  // Where the world of this name exists already, it is this one.
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

/** Runs in the page, once or more: the promise of the event. What every document goes through may be over by the first time. */
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
