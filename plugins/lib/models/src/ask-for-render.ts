import { type EncodeContext, isPlatenError, type RenderPlan } from '@platen/kernel';
import { addUsage, type ModelRequest, NO_USAGE, type Usage } from './message.js';
import type { Answer, AskOptions, Model } from './model.js';

/** Asks a model for a render. Its usage is logged with the message, and added to the headers of the response, also if it fails. */
export async function askForRender(
  model: Model,
  request: ModelRequest,
  { context, timeoutMs, message }: { readonly context: UsageContext; readonly timeoutMs: number; readonly message: string },
): Promise<Answer> {
  const started = performance.now();
  let usage = NO_USAGE;
  try {
    const onUsage = (used: Usage) => {
      usage = addUsage(usage, used);
    };
    return await model.ask(request, { signal: context.signal, timeoutMs, onUsage });
  } finally {
    const ms = Math.round(performance.now() - started);
    context.log.info({ model: model.name, ms, ...usage }, message);
    reportUsage(context, { model, usage, ms });
  }
}

type UsageContext = Pick<EncodeContext, 'plan' | 'signal' | 'log' | 'setResponseHeader'>;

/** The usage of a model in one request. */
interface ModelUse {
  readonly model: Pick<Model, 'name'>;
  readonly usage: Usage;
  /** Milliseconds. */
  readonly ms: number;
}

/** The models of each render so far, by its plan. */
const uses = new WeakMap<RenderPlan, ModelUse[]>();

/** Adds to the headers of a render's response: `X-LLM-*` for the sum of its models, and a metric of `Server-Timing` for each. */
function reportUsage({ plan, setResponseHeader }: UsageContext, use: ModelUse): void {
  const all = uses.get(plan) ?? [];
  uses.set(plan, all);
  const before = all.find(({ model }) => model.name === use.model.name);
  if (before === undefined) all.push(use);
  else all[all.indexOf(before)] = { model: use.model, usage: addUsage(before.usage, use.usage), ms: before.ms + use.ms };
  const sum = all.reduce((total, { usage }) => addUsage(total, usage), NO_USAGE);
  setResponseHeader('X-LLM-Model', all.map(({ model }) => model.name).join(', '));
  setResponseHeader('X-LLM-Calls', String(sum.calls));
  setResponseHeader('X-LLM-Tokens-In', String(sum.input));
  setResponseHeader('X-LLM-Tokens-Out', String(sum.output));
  setResponseHeader('X-LLM-Tokens-Cached', String(sum.cached));
  setResponseHeader('Server-Timing', all.map(toMetric).join(', '));
}

function toMetric({ model, usage: { input, output, cached, calls }, ms }: ModelUse): string {
  const described = `in=${String(input)} out=${String(output)} cached=${String(cached)} calls=${String(calls)}`;
  return `model;dur=${String(Math.round(ms))};desc="${model.name} ${described}"`;
}

/**
 * Asks a model for one word: sends no page content. Rejects as `Model.ask` does if it cannot be used; an answer of any form shows that it
 * can.
 */
export async function checkModel(model: Model, options: AskOptions): Promise<void> {
  try {
    await model.ask({ messages: [{ role: 'user', parts: [{ text: 'Reply with the word "ok".' }] }] }, options);
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'llm_output_invalid') throw error;
  }
}
