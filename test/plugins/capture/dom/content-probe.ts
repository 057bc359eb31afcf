import { definePlugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll } from 'vitest';
import emulate from '../../../../plugins/page/emulate/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import dom, { type ContentCapture, type ContentRequest } from '../../../../plugins/capture/dom/src/index.js';
import { contentRequest } from '../../../../plugins/capture/dom/src/keys.js';

type Captured = Omit<ContentCapture, 'images'> & { readonly images: readonly (readonly [string, string, string])[] };

export interface ContentProbe extends AsyncDisposable {
  readonly host: TestKernel;
  /** The capture of a page, with its images as URL, type and base64; `params`: of the target or of what is emulated. */
  capture(url: string, request?: ContentRequest, params?: Readonly<Record<string, string | number | boolean>>): Promise<Captured>;
}

/** A kernel whose output is the content as it was captured. */
export function openContentProbe(): ContentProbe {
  let asked: ContentRequest | undefined;
  const probe = definePlugin({
    name: 'probe',
    requires: ['dom'],
    outputs: [{ type: 'probe', from: 'content', contentType: 'application/json', extension: 'json' }],
    apply({ hooks }) {
      hooks.beforeNavigate.tap('probe', (context) => {
        if (asked !== undefined) context.set(contentRequest, asked);
      });
      hooks.encode.for('probe').tapPromise('probe', async ({ images, ...rest }) => {
        const listed = [...images].map(([url, { contentType, body }]) => [url, contentType, body.toString('base64')]);
        return { contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify({ ...rest, images: listed })) };
      });
    },
  });
  const host = createTestKernel({ plugins: [target, emulate, dom, probe] });
  return {
    host,
    async capture(url, request, params) {
      asked = request;
      const result = await host.render({ ...params, url, output_type: 'probe' });
      return JSON.parse((await result.bytes()).toString()) as Captured;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** A page as a `data:` URL. */
export function document(body: string, head = ''): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>T</title>${head}<body>${body}`)}`;
}

/** Reads the content of bodies, for the tests of one file. */
export function useContentReader(
  params?: Readonly<Record<string, string | number | boolean>>,
): (body: string, head?: string) => Promise<string> {
  let probe: ContentProbe;
  beforeAll(() => {
    probe = openContentProbe();
  });
  afterAll(() => probe[Symbol.asyncDispose]());
  return async (body, head) => (await probe.capture(document(body, head), undefined, params)).html.trim();
}
