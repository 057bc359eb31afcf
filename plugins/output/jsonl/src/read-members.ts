import { buffer } from 'node:stream/consumers';
import { isDiskFull, isPlatenError, PlatenError, type RenderContext } from '@platen/kernel';
import { type Member, typeOf } from './params.js';

/** What a page adds to its line. */
export interface PageData {
  readonly members: Readonly<Partial<Record<Member, unknown>>>;
  /** Why a member is missing. */
  readonly error: string | undefined;
}

/** Each member as its own output type has it. One that the page does not have is missing; the walk goes on. */
export async function readMembers(context: RenderContext, members: readonly Member[]): Promise<PageData> {
  const found: Partial<Record<Member, unknown>> = {};
  let reason: string | undefined;
  // A screenshot may scroll the page: it is the last.
  const ordered = [...members].sort((a, b) => Number(a === 'screenshot') - Number(b === 'screenshot'));
  for (const type of new Set(ordered.map(typeOf))) {
    try {
      Object.assign(found, await (type === 'png' ? takeScreenshot(context) : readText(context, type)));
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isPlatenError(error) || (error.status !== 422 && error.code !== 'encode_failed')) throw error;
      reason ??= error.message;
    }
  }
  return { members: found, error: reason };
}

async function readText(context: RenderContext, type: string): Promise<object> {
  const { body } = await context.renderAs(type);
  const text = (Buffer.isBuffer(body) ? body : await buffer(body)).toString();
  // Written by the plugin of the type: an object with the members that were asked for.
  return type === 'json' ? (JSON.parse(text) as object) : { [type]: text };
}

/** Its bytes go to the store of assets; the line names them. */
async function takeScreenshot(context: RenderContext): Promise<Pick<PageData['members'], 'screenshot'>> {
  const { body } = await context.renderAs('png');
  const asset = { name: 'screenshot', contentType: 'image/png', extension: 'png', body };
  try {
    return { screenshot: await context.publishAsset(asset, context.plan.url) };
  } catch (cause) {
    context.signal.throwIfAborted();
    if (isPlatenError(cause)) throw cause;
    const why = isDiskFull(cause) ? ': the disk is full' : '';
    throw new PlatenError('encode_failed', `the screenshot could not be stored${why}`, { cause });
  }
}
