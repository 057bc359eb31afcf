import { addSourceUrl, LONGEST_TIMER_MS, type Page, PlatenError, type RenderContext, type Result } from '@platen/kernel';

const MAX_LENGTH = 500;

/** No timeout: a script may take the remaining render time. */
const NO_TIMEOUT = { timeoutMs: LONGEST_TIMER_MS };

type Answer = Pick<Result<'Runtime.evaluate'>, 'result' | 'exceptionDetails'>;

/** The JSON value of an expression in the page's main world. */
export async function runScript({ page, setWaitReason }: Pick<RenderContext, 'page' | 'setWaitReason'>, source: string): Promise<unknown> {
  setWaitReason('"extract_script" to end');
  // The console's mode, with top-level `await`. The page's content security policy does not apply.
  const options = { replMode: true, awaitPromise: true, userGesture: true, silent: true, allowUnsafeEvalBlockedByCSP: true };
  const evaluated = checked(await page.send('Runtime.evaluate', { expression: asExpression(source), ...options }, NO_TIMEOUT));
  const { subtype, objectId } = evaluated;
  // In this mode a promise as completion value is returned without being awaited.
  const isPromise = subtype === 'promise' && objectId !== undefined;
  const result = isPromise ? checked(await page.send('Runtime.awaitPromise', { promiseObjectId: objectId }, NO_TIMEOUT)) : evaluated;
  return result.objectId === undefined ? primitiveOf(result) : await toJson(page, result);
}

/** An object literal would be a block. */
function asExpression(source: string): string {
  return /^\s*\{[^]*\}\s*$/.test(source) ? `(${source})` : source;
}

function checked({ result, exceptionDetails }: Answer): Answer['result'] {
  if (exceptionDetails === undefined) return result;
  const { exception, text } = exceptionDetails;
  const message = exception?.description?.split('\n', 1)[0] ?? (exception === undefined ? text : JSON.stringify(exception.value ?? null));
  throw new PlatenError('script_failed', `"extract_script" failed: ${message.slice(0, MAX_LENGTH)}`);
}

function primitiveOf({ type, value, unserializableValue, description = type }: Answer['result']): unknown {
  if (type === 'undefined' || unserializableValue !== undefined) throw noJson(unserializableValue ?? description);
  return value;
}

async function toJson(page: Page, { objectId, subtype, type, description = type }: Answer['result']): Promise<unknown> {
  // An element would be an empty object.
  if (subtype === 'node' || type === 'function' || type === 'symbol' || objectId === undefined) throw noJson(description);
  const functionDeclaration = addSourceUrl('function () { return JSON.stringify(this); }');
  const { value } = checked(await page.send('Runtime.callFunctionOn', { objectId, functionDeclaration, silent: true }, NO_TIMEOUT)) as {
    readonly value?: unknown;
  };
  if (typeof value !== 'string') throw noJson(description);
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // The page has replaced `JSON`.
    throw noJson(description);
  }
}

function noJson(description: string): PlatenError {
  const value = description.split('\n', 1)[0]?.slice(0, MAX_LENGTH) ?? '';
  return new PlatenError('script_failed', `"extract_script" has no JSON value: its result is ${value}`);
}
