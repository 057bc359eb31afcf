import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, LONGEST_TIMER_MS, type Page, PlatenError, type RenderContext, type Result } from '@platen/kernel';

const MAX_LENGTH = 500;

/** No timeout: a script may take the remaining render time. */
const NO_TIMEOUT = { timeoutMs: LONGEST_TIMER_MS };
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
    NO_TIMEOUT,
  );
  if (exceptionDetails) return describeThrown(exceptionDetails);
  // In this mode a promise as completion value is returned without being awaited.
  if (result.subtype !== 'promise' || result.objectId === undefined) return undefined;
  const awaited = await page.send('Runtime.awaitPromise', { promiseObjectId: result.objectId, generatePreview: true }, NO_TIMEOUT);
  return awaited.exceptionDetails && describeThrown(awaited.exceptionDetails);
}

type ExceptionDetails = NonNullable<Result<'Runtime.evaluate'>['exceptionDetails']>;

type Thrown = NonNullable<ExceptionDetails['exception']>;

type Preview = NonNullable<Thrown['preview']>;

/**
 * Describes a value that a script threw, on one line: an error's message, or the beginning of any other value. Runs no code of the page.
 */
function describeThrown({ exception, text }: ExceptionDetails): string {
  return (describe(exception) ?? text).slice(0, MAX_LENGTH);
}

function describe(exception: Thrown | undefined): string | undefined {
  if (exception === undefined) return undefined;
  const { type, subtype, description, preview } = exception;
  if (type === 'undefined') return 'undefined';
  if (type === 'object' && subtype !== 'error' && preview !== undefined) return describeObject(preview, exception.className);
  return description === undefined ? JSON.stringify(exception.value) : description.split('\n', 1)[0];
}

/** `{"code": 5, "why": "closed", …}`; arrays in brackets, and the class name before the braces unless it is `Object`. */
function describeObject({ subtype, overflow, properties }: Preview, className = ''): string {
  const isList = subtype === 'array';
  const entries = properties.map(({ name, type, value = type }) => {
    const shown = type === 'string' ? JSON.stringify(value) : value;
    return isList && /^\d+$/.test(name) ? shown : `${JSON.stringify(name)}: ${shown}`;
  });
  const inner = [...entries, ...(overflow ? ['…'] : [])].join(', ');
  if (isList) return `[${inner}]`;
  return `${className === 'Object' || className === '' ? '' : `${className} `}{${inner}}`;
}
