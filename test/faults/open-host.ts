import { createKernel, silentLogger, type Kernel, type Plugin } from '@platen/kernel';
import { createServer } from '@platen/server';
import { expect } from 'vitest';
import dom from '../../plugins/capture/dom/src/index.js';
import pixels from '../../plugins/capture/screenshot/src/index.js';
import print from '../../plugins/capture/print/src/index.js';
import html from '../../plugins/output/html/src/index.js';
import pdf from '../../plugins/output/pdf/src/index.js';
import png from '../../plugins/output/png/src/index.js';
import emulate from '../../plugins/page/emulate/src/index.js';
import target from '../../plugins/page/target/src/index.js';
import wait from '../../plugins/page/wait/src/index.js';
import limits from '../../plugins/service/limits/src/index.js';
import { asLoaded } from '../server/test-server.js';
import { until } from '../helpers/until.js';

/** A server of this process, so that the browser's processes can be found and killed, with real plugins and a real browser. */
export interface Host extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly url: string;
  render(params: Readonly<Record<string, unknown>>, options?: RenderOptions): Promise<Answer>;
  status(): Promise<Readonly<Record<string, unknown>>>;
  /** Nothing is under way, no slot and no page is taken, and a render of an ordinary page works. */
  expectWell(): Promise<void>;
}

export interface RenderOptions {
  /** By default the answer must be there two seconds after the request's timeout. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** What a problem document says. */
  readonly problem: Readonly<Record<string, unknown>> | undefined;
  readonly body: Buffer;
}

const PLUGINS: readonly Plugin[] = [pixels, png, dom, html, print, pdf, target, wait, emulate, limits];

/** Seconds by which an answer may be late. */
const GRACE = 2;

export async function openHost(flags: Readonly<Record<string, unknown>> = {}, more: readonly Plugin[] = []): Promise<Host> {
  const kernel = createKernel({ plugins: [...PLUGINS, ...more].map(asLoaded), flags, log: silentLogger });
  const server = createServer({ kernel, log: silentLogger, flags: { 'server-bind-port': 0, ...flags } });
  const url = await server.listen();
  await kernel.start();
  const render: Host['render'] = async (params, { signal } = {}) => {
    const { timeout = 10 } = params;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timeout, ...params }),
      signal: signal ?? AbortSignal.timeout((Number(timeout) + GRACE) * 1000),
    });
    const body = Buffer.from(await response.arrayBuffer());
    const isProblem = response.headers.get('content-type') === 'application/problem+json';
    return { status: response.status, body, problem: isProblem ? (JSON.parse(body.toString()) as Record<string, unknown>) : undefined };
  };
  const status = async () => (await (await fetch(`${url}/status`)).json()) as Record<string, unknown>;
  return {
    kernel,
    url,
    render,
    status,
    async expectWell() {
      await until(() => kernel.status().busy === 0 && kernel.status().waiting === 0);
      expect(await status()).toMatchObject({ status: 'ok', in_flight: 0, queued: 0 });
      const answer = await render({ url: 'data:text/html,<title>well</title><h1>well', output_type: 'html' });
      expect(answer).toMatchObject({ status: 200, problem: undefined });
      expect(answer.body.toString()).toContain('<h1>well');
    },
    async [Symbol.asyncDispose]() {
      await server.close(0);
      await kernel.close(0);
    },
  };
}
