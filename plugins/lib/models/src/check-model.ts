import { isPlatenError } from '@platen/kernel';
import type { AskOptions, Model } from './model.js';

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
