import { type EncodeContext, type Output, PlatenError } from '@platen/kernel';
import { type Answer, askForRender } from '@platen/lib-models';
import { redactionKey } from '@platen/lib-redaction';
import { drawLabels, type ViewCapture, writeSnapshot } from '@platen/lib-view';
import { formatter } from './open-models.js';
import type { LlmParams } from './params.js';
import { MAX_SNAPSHOT_TOKENS, writePrompt } from './prompt.js';
import { readExpects } from './read-expects.js';

/** For a render without a timeout. */
const MAX_MS = 600_000;
/** The render's own timeout comes first: its error says more. */
const GRACE_MS = 250;

/** Asks the render's model about the page. The browser is free by then. */
async function askModel(view: ViewCapture, context: EncodeContext<LlmParams>): Promise<Answer> {
  const { params, plan, signal, deadlineAt } = context;
  const model = context.get(formatter);
  if (model === undefined) throw new PlatenError('internal', 'the render has no model');
  const { type } = plan.output;
  const redact = context.get(redactionKey)?.text;
  const snapshot = await writeSnapshot(view, { maxTokens: MAX_SNAPSHOT_TOKENS, ...(redact === undefined ? {} : { redact }) });
  const labels = params.llm_no_screenshot_labels === true ? [] : snapshot.boxes;
  const image = await drawLabels(view, labels, { signal, masks: snapshot.masks });
  const schema = readExpects(type, params.llm_format_expects);
  const prompt = writePrompt({ type, instructions: params.llm_format_prompt, snapshot: snapshot.text, image });
  context.setWaitReason(`the language model "${model.name}"`);
  const timeoutMs = Math.min(MAX_MS, deadlineAt - performance.now() + GRACE_MS);
  const request = { ...prompt, ...(schema === undefined ? {} : { schema }) };
  return askForRender(model, request, { context, timeoutMs, message: 'a language model was asked' });
}

/** The answer as text. */
export async function writeText(view: ViewCapture, context: EncodeContext<LlmParams>): Promise<Output> {
  const { text, value } = await askModel(view, context);
  return {
    contentType: 'text/plain; charset=utf-8',
    extension: 'txt',
    // With an expectation the answer is a value.
    body: Buffer.from(typeof value === 'string' ? value : text),
  };
}

/** The answer as JSON. */
export async function writeJson(view: ViewCapture, context: EncodeContext<LlmParams>): Promise<Output> {
  const { value } = await askModel(view, context);
  return { contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify(value)) };
}
