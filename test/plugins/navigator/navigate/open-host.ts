import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { type Logger, PlatenError, type Plugin, type StoredAsset } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import axtree from '@platen/plugin-axtree';
import har from '@platen/plugin-har';
import html from '@platen/plugin-html';
import llm from '@platen/plugin-llm';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import network from '@platen/plugin-network';
import accessibility from '@platen/plugin-accessibility';
import dom from '@platen/plugin-dom';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import view from '@platen/plugin-view';
import wait from '@platen/plugin-wait';
import type { Protocol } from '../../../helpers/model-dialects.js';
import { openModelServer } from '../../../helpers/model-server.js';
import { navigatorScript, type ShownPage, type Turn } from '../../../helpers/navigator-script.js';

const PLUGINS: readonly Plugin[] = [
  ...[navigate, models, openai, anthropic, google, ollama, llm, view],
  ...[png, screenshot, har, network, html, dom, axtree, accessibility, target, wait],
];

export interface NavigatorHost extends AsyncDisposable, Pick<TestKernel, 'render' | 'kernel'> {
  /** Everything that was logged. */
  readonly logged: readonly string[];
  /** Renders with a navigator that takes these turns. */
  navigate(turns: readonly Turn[], params: Readonly<Record<string, unknown>>, options?: NavigateOptions): Promise<NavigateResult>;
}

export interface NavigateOptions {
  readonly protocol?: Protocol;
  /** Of its connection string. */
  readonly options?: string;
}

export interface NavigateResult {
  readonly body: string;
  readonly bytes: Buffer;
  /** By name, also of a failure. */
  readonly assets: Readonly<Record<string, Buffer>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly shown: readonly ShownPage[];
  /** Of the failure. */
  readonly error: { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> } | undefined;
}

export function openNavigatorHost(flags: Readonly<Record<string, unknown>> = {}, more: readonly Plugin[] = []): NavigatorHost {
  const logged: string[] = [];
  const note = (...args: readonly unknown[]): void => void logged.push(inspect(args, { depth: 20 }));
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  const host = createTestKernel({ plugins: [...PLUGINS, ...more], flags, log });
  return {
    ...{ render: host.render, kernel: host.kernel, logged },
    async navigate(turns, params, { protocol = 'openai', options = '' } = {}) {
      const { script, shown } = navigatorScript(turns);
      const server = await openModelServer(protocol, script);
      try {
        const model = server.connection({ key: 'sk-test-key', options });
        const result = await host.render({ navigate: 'Reach the goal.', navigator_type: [model], ...params });
        const bytes = await result.bytes();
        const assets = await readAssets(result.assets.kept);
        return { body: bytes.toString(), bytes, assets, headers: result.headers, shown, error: undefined };
      } catch (error) {
        const assets = await readAssets(error instanceof PlatenError ? (error.assets?.kept ?? []) : []);
        // Every failure of a render is a PlatenError.
        return { body: '', bytes: Buffer.alloc(0), assets, headers: {}, shown, error: error as NonNullable<NavigateResult['error']> };
      } finally {
        await server[Symbol.asyncDispose]();
      }
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function readAssets(kept: readonly StoredAsset[]): Promise<Readonly<Record<string, Buffer>>> {
  return Object.fromEntries(await Promise.all(kept.map(async (asset) => [asset.name, await buffer(asset.open())] as const)));
}
