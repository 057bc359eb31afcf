import { contextKey, invalidParameter, type PluginApi } from '@platen/kernel';
import { type Model, modelsOf } from '@platen/lib-models';
import type { LlmFlags, LlmParams } from './params.js';

type Api = PluginApi<LlmParams, readonly [], LlmFlags>;

/** The model of a render. */
export const formatter = contextKey<Model>('model of llm_text and llm_json');

/** The startup model of each kernel, by the object that the kernel passes to its plugins. */
const startup = new WeakMap<Api['outbound'], Model>();

/** @throws PlatenError `boot_invalid_flag` */
export function openStartupModel(api: Pick<Api, 'outbound' | 'log' | 'options'>): void {
  const connection = api.options['llm-format-model'];
  if (connection === undefined) return;
  startup.set(api.outbound, modelsOf(api).open(connection, { source: 'startup', name: 'llm-format-model' }));
}

/**
 * The model that a request names, or else that of the server.
 * @throws PlatenError `invalid_parameters` that names the parameter
 */
export function chooseModel(api: Pick<Api, 'outbound' | 'log'>, { llm_format_model: connection }: LlmParams): Model {
  if (connection !== undefined) return modelsOf(api).open(connection, { source: 'request', name: 'llm_format_model' });
  const model = startup.get(api.outbound);
  if (model !== undefined) return model;
  const detail = 'this output type requires "llm_format_model", because the server was started without --llm-format-model';
  throw invalidParameter('llm_format_model', detail);
}
