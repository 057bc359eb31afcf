import { type Logger, type Outbound, type PluginApi, silentLogger } from '@platen/kernel';
import { modelsOf, type AskOptions, type ModelRequest, type Models } from '@platen/lib-models';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';

export interface OpenOptions {
  readonly outbound?: Pick<Outbound, 'fetch'>;
  readonly log?: Logger;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Models of all five providers, through the real outbound client, without a kernel. */
export function openModels({
  outbound = createOutbound({ addressFilters: [] }),
  log = silentLogger,
  environment = {},
}: OpenOptions = {}): Models {
  const api = { outbound, log, options: {} };
  // Registering a provider needs nothing else of the API.
  for (const plugin of [openai, anthropic, google, ollama, stdio]) plugin.apply?.(api as unknown as PluginApi<never, never, never>);
  return modelsOf(api, environment);
}

export const HELLO: ModelRequest = { messages: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

/** The options of a request with a minute's time. */
export function within(timeoutMs = 60_000): AskOptions {
  return { signal: new AbortController().signal, timeoutMs };
}
