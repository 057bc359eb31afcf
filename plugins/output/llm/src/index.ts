import { definePlugin } from '@platen/kernel';
import type { Model } from '@platen/lib-models';
import { viewOptions } from '@platen/plugin-view/keys';
import { chooseModel, formatter, openStartupModel, writeJson, writeText } from './ask-model.js';
import { LLM_FLAGS, LLM_PARAMS } from './params.js';
import { checkExpects, readExpects } from './read-expects.js';

export default definePlugin({
  name: 'llm',
  requires: ['view', 'models'],
  outputs: [
    { type: 'llm_text', from: 'view', contentType: 'text/plain; charset=utf-8', extension: 'txt', endings: ['llm.txt'] },
    { type: 'llm_json', from: 'view', contentType: 'application/json', extension: 'json', endings: ['llm.json'] },
  ],
  params: LLM_PARAMS,
  flags: LLM_FLAGS,
  planFor: { output: ['llm_text', 'llm_json'], param: 'llm_format_model' },
  plan({ params, output, refuse }) {
    if (/^\s*stdio:/i.test(params.llm_format_model ?? '')) {
      refuse('llm_format_model', '"llm_format_model" may not use the protocol "stdio": only the operator names programs, at startup');
    }
    if (!output.type.startsWith('llm_')) return;
    try {
      readExpects(output.type, params.llm_format_expects);
    } catch (error) {
      refuse('llm_format_expects', error instanceof Error ? error.message : String(error));
    }
  },
  apply(api) {
    const { hooks } = api;
    const state: { model?: Model | undefined } = {};
    const scope = { name: 'llm', for: { output: ['llm_text', 'llm_json'] } };
    hooks.beforeOpen.tapPromise(scope, async (context) => {
      const { params, plan, signal } = context;
      await checkExpects(plan.output.type, params.llm_format_expects, signal);
      const model = chooseModel(api, params, state.model);
      context.set(formatter, model);
      context.set(viewOptions, { screenshot: model.vision });
    });
    hooks.encode.for('llm_text').tapPromise('llm', writeText);
    hooks.encode.for('llm_json').tapPromise('llm', writeJson);
    return state;
  },
  prepare(api, state) {
    state.model = openStartupModel(api);
    return Promise.resolve();
  },
});
