import { inspect } from 'node:util';
import type { Logger, Plugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import llm from '@platen/plugin-llm';
import metrics from '@platen/plugin-metrics';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import models from '@platen/plugin-models';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import view from '@platen/plugin-view';
import { createServer } from '@platen/server';

const PLUGINS: readonly Plugin[] = [llm, view, models, openai, anthropic, google, ollama, stdio, metrics, png, screenshot, target];

export interface LlmHost extends AsyncDisposable, Pick<TestKernel, 'render' | 'kernel'> {
  /** Everything that was logged. */
  readonly logged: readonly string[];
}

export function openLlmHost(flags: Readonly<Record<string, unknown>> = {}): LlmHost {
  const logged: string[] = [];
  const note = (...args: readonly unknown[]): void => void logged.push(inspect(args, { depth: 20 }));
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  const host = createTestKernel({ plugins: PLUGINS, flags, log });
  return { render: host.render, kernel: host.kernel, logged, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

export interface LlmServer extends LlmHost {
  post(body: Readonly<Record<string, unknown>>, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
}

/** The same behind HTTP, with `/metrics`. */
export async function openLlmServer(flags: Readonly<Record<string, unknown>> = {}): Promise<LlmServer> {
  const all = { 'server-bind-port': 0, 'server-enable-prometheus': true, ...flags };
  const host = openLlmHost(all);
  const note = (...args: readonly unknown[]): void => void (host.logged as string[]).push(inspect(args, { depth: 20 }));
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  const server = createServer({ kernel: host.kernel, log, flags: all });
  const url = await server.listen();
  return {
    ...host,
    get: (path) => fetch(url + path),
    post: (body, init) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init }),
    async [Symbol.asyncDispose]() {
      await server.close(0);
      await host[Symbol.asyncDispose]();
    },
  };
}
