import { inspect } from 'node:util';
import { isPlatenError, type Logger, type Outbound, type PluginApi, silentLogger } from '@platen/kernel';
import { modelsOf, type AskOptions, type Model, type ModelRequest, type Models } from '@platen/lib-models';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import type { Protocol } from '../../../helpers/model-dialects.js';
import { type ModelScript, type ModelServer, openModelServer } from '../../../helpers/model-server.js';

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

export const KEY = 'sk-Secret+/=?&_0123456789';
export const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
export const COUNT: ModelRequest = { system: 'Count.', messages: [{ role: 'user', parts: [{ text: 'How many?' }] }], schema: SCHEMA };
export const NOW = { 'retry-after': '0' };

interface Opened extends AsyncDisposable {
  readonly model: Model;
  readonly server: ModelServer;
}

export async function open(
  protocol: Protocol,
  script: ModelScript,
  { options = '', ...rest }: OpenOptions & { options?: string } = {},
): Promise<Opened> {
  const server = await openModelServer(protocol, script);
  const model = openModels(rest).open(server.connection({ key: KEY, options }), { source: 'request', name: 'llm_format_model' });
  return { model, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

export function collectLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (...args: readonly unknown[]): void => void lines.push(inspect(args, { depth: 20 }));
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  return { log, lines };
}

export async function errorOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isPlatenError(error)) throw new Error(`no error of Platen: ${String(error)}`);
  return error;
}
