import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { describeThrown } from './describe-thrown.js';

/** A script may take as long as the render has left. */
const NO_BOUND_OF_ITS_OWN = 2 ** 31 - 1;
const GRACE_MS = 1000;

/** Runs the request's script in the loaded page's own world and awaits what it ends with. Throws `script_failed` with its message. */
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
    // A script that leads to another page does not live to answer; news of the two come in any order.
    if (isPlatenError(error) || !(await Promise.race([left, delay(GRACE_MS, false)]))) throw error;
  } finally {
    stop();
  }
}

/** The message of what the script threw; undefined where it ended well. */
async function evaluate(page: Page, source: string): Promise<string | undefined> {
  const bound = { timeoutMs: NO_BOUND_OF_ITS_OWN };
  const { result, exceptionDetails } = await page.send(
    'Runtime.evaluate',
    // The console's mode: `await` at the top level. The page's content policy does not hold for it.
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
  // In that mode a promise that the script ends with is its value, still to be awaited.
  if (result.subtype !== 'promise' || result.objectId === undefined) return undefined;
  const awaited = await page.send('Runtime.awaitPromise', { promiseObjectId: result.objectId, generatePreview: true }, bound);
  return awaited.exceptionDetails && describeThrown(awaited.exceptionDetails);
}
