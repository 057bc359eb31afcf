import { definePlugin, type Logger, type Plugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import type { Walk } from '@platen/plugin-walk';
import { Readable } from 'node:stream';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import sitemap from '../../../../plugins/walk/sitemap/src/index.js';

/** One entry of a walk, as its reader sees it. */
export interface SeenPage {
  readonly url: string;
  readonly depth: number;
  readonly title: string;
  readonly status: number | undefined;
  readonly loadState: string;
  readonly isPage: boolean;
  /** Method, path and status of each exchange. */
  readonly exchanges: readonly string[];
  /** Path and stored bytes of each. */
  readonly bytes: readonly (readonly [string, number])[];
}

export interface WalkEnd {
  readonly pages: readonly SeenPage[];
  readonly summary: Walk['summary'];
}

/** Writes the pages of a walk as lines of JSON, the last one its summary. */
const probe = definePlugin({
  name: 'probe',
  outputs: [{ type: 'probe', from: 'walk', contentType: 'application/x-ndjson', extension: 'jsonl' }],
  apply({ hooks }) {
    hooks.encode.for('probe').tap('probe', (walked) => {
      return { contentType: 'application/x-ndjson', extension: 'jsonl', body: Readable.from(linesOf(walked), { objectMode: false }) };
    });
  },
});

async function* linesOf(walked: Walk): AsyncGenerator<string> {
  for await (const page of walked.pages()) {
    const exchanges: string[] = [];
    const bytes: (readonly [string, number])[] = [];
    for await (const { request, response } of page.exchanges()) {
      const { pathname } = new URL(request.url);
      exchanges.push(`${request.method} ${pathname} ${String(response?.status)}`);
      bytes.push([pathname, response?.body.bytes ?? 0]);
    }
    const { url, depth, title, status, loadState, isPage } = page;
    const line = `${JSON.stringify({ url, depth, title, status, loadState, isPage, exchanges, bytes })}\n`;
    walked.wrote(line.length);
    yield line;
  }
  yield JSON.stringify(walked.summary);
}

export interface WalkProber extends AsyncDisposable {
  readonly host: TestKernel;
  walk(params: Readonly<Record<string, unknown>>, options?: Parameters<TestKernel['render']>[1]): Promise<WalkEnd>;
}

/** A kernel that walks, without delays unless asked for. */
export function openWalkProber(flags: Readonly<Record<string, unknown>> = {}, log?: Logger, more: readonly Plugin[] = []): WalkProber {
  const plugins = [network, walk, robots, target, wait, links, sitemap, probe, ...more];
  const host = createTestKernel({ plugins, flags, ...(log === undefined ? {} : { log }) });
  return {
    host,
    async walk(params, options) {
      const { bytes } = await host.render({ output_type: 'probe', crawl_delay: 0, ...params }, options);
      const lines = (await bytes()).toString().split('\n');
      const summary = JSON.parse(lines.pop() ?? '') as Walk['summary'];
      return { pages: lines.map((line) => JSON.parse(line) as SeenPage), summary };
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Path and query of its pages, sorted. */
export function pathsOf({ pages }: WalkEnd): readonly string[] {
  return pages
    .filter(({ isPage }) => isPage)
    .map(({ url }) => new URL(url).pathname + new URL(url).search)
    .sort();
}
