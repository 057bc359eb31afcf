import type { RenderContext } from './context.js';
import { PlatenError } from './errors.js';
import type { KernelHooks } from './hooks.js';
import type { EncodedOutput } from './output.js';
import { createValues } from './values.js';

/** Captures and encodes the page of a context as an output type that its plan includes. */
export async function renderAs(hooks: KernelHooks, context: RenderContext, type: string): Promise<EncodedOutput> {
  const included = context.plan.included.find(({ output }) => output.type === type);
  if (included === undefined) throw new TypeError(`the plan does not include the output type "${type}"`);
  // Its taps see the plan of a render that has only this output. They may set values for it.
  const own = { ...createValues(context), plan: Object.freeze({ ...context.plan, ...included, included: [] }), release: () => undefined };
  const members = { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(own) };
  // All members of a context, some of which are getters.
  const inner = Object.freeze(Object.defineProperties({}, members)) as RenderContext;
  const capture = await hooks.capture.get(included.capture.kind)?.promise(inner);
  const output = capture === undefined ? undefined : await hooks.encode.get(type)?.promise(capture, inner);
  if (output === undefined) throw new PlatenError('plugin_failed', `no plugin made the output type "${type}"`);
  return output;
}
