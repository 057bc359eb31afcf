import { randomBytes } from 'node:crypto';
import type { Page } from '@platen/kernel';
import { LOOK_MS, lookUntilFound } from './look-until-found.js';

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
  const source = `globalThis.fired = (${LISTEN})(${JSON.stringify(name)})`;
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName });
  return { fired: (signal) => lookUntilFound(() => look(page, { worldName, name }), signal) };
}

/** Runs in the page. In time, or, where a document has no script of its own and so had no world, with what it has been through. */
const LISTEN = `(name) => new Promise((resolve) => {
  addEventListener(name, () => resolve(true), { capture: true, once: true });
  const past = { DOMContentLoaded: document.readyState !== 'loading', load: document.readyState === 'complete' };
  if (past[name] === true) resolve(true);
})`;

/** False where the event did not come within one look. Throws where the document went away. */
async function look(page: Page, { worldName, name }: { readonly worldName: string; readonly name: string }): Promise<boolean> {
  const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId: page.mainFrameId, worldName });
  const { result, exceptionDetails } = await page.send('Runtime.callFunctionOn', {
    functionDeclaration: `(name, ms) => Promise.race([(globalThis.fired ??= (${LISTEN})(name)), new Promise((resolve) => setTimeout(resolve, ms, false))])`,
    arguments: [{ value: name }, { value: LOOK_MS }],
    executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error('the document went away');
  return result.value === true;
}
