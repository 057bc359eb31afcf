import { buffer } from 'node:stream/consumers';
import { isPlatenError, type RenderContext } from '@platen/kernel';
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
  for (const type of new Set(members.map(typeOf))) {
    try {
      const { body } = await context.renderAs(type);
      const text = (Buffer.isBuffer(body) ? body : await buffer(body)).toString();
      // Written by the plugin of the type: an object with the members that were asked for.
      Object.assign(found, type === 'json' ? (JSON.parse(text) as object) : { [type]: text });
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isPlatenError(error) || (error.status !== 422 && error.code !== 'encode_failed')) throw error;
      reason ??= error.message;
    }
  }
  return { members: found, error: reason };
}
