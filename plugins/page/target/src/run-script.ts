import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { describeThrown } from './describe-thrown.js';

/** No timeout: a script may take the remaining render time. */
const NO_BOUND_OF_ITS_OWN = 2 ** 31 - 1;
const GRACE_MS = 1000;

/** Runs the request's script in the page's main world and awaits its completion value. Throws `script_failed` with the script's message. */
export async function runScript({ page, setWaitReason }: Pick<RenderContext, 'page' | 'setWaitReason'>, source: string): Promise<void> {
  setWaitReason('load');
  await page.lifecycle.reached('load');
  setWaitReason('"javascript" to end');
  let stop = (): void => undefined;
  const left = new Promise<true>((resolve) => {
    stop = page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === page.mainFrameId) resolve(true);
    });
  });
  try {
    const message = await evaluate(page, source);
    if (message !== undefined) throw new PlatenError('script_failed', `"javascript" failed: ${message}`);
  } catch (error) {
    // A script that navigates may never return. Its result and the navigation events arrive in any order.
    if (isPlatenError(error) || !(await Promise.race([left, delay(GRACE_MS, false)]))) throw error;
  } finally {
    stop();
  }
}

/** The error message of the script; undefined if it succeeded. */
async function evaluate(page: Page, source: string): Promise<string | undefined> {
  const bound = { timeoutMs: NO_BOUND_OF_ITS_OWN };
  const { result, exceptionDetails } = await page.send(
    'Runtime.evaluate',
    // The console's mode, with top-level `await`. The page's content security policy does not apply.
    {
      expression: source,
      awaitPromise: true,
      replMode: true,
      userGesture: true,
      silent: true,
      allowUnsafeEvalBlockedByCSP: true,
      generatePreview: true,
    },
    bound,
  );
  if (exceptionDetails) return describeThrown(exceptionDetails);
  // In this mode a promise as completion value is returned without being awaited.
  if (result.subtype !== 'promise' || result.objectId === undefined) return undefined;
  const awaited = await page.send('Runtime.awaitPromise', { promiseObjectId: result.objectId, generatePreview: true }, bound);
  return awaited.exceptionDetails && describeThrown(awaited.exceptionDetails);
}
