import { NO_ASSETS, PlatenError } from '@platen/kernel';
import sharp from 'sharp';
import type { FakeRender } from '../../../server/test-server.js';

const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'green' } })
  .png()
  .toBuffer();
const JSON_TEXT = '{"nodes":[{"role":"heading","name":"Hello"}],"count":3}';
export const HTML =
  '<!doctype html><meta http-equiv="Refresh" content="0;url=/elsewhere"><p id="p" style="color:rgb(1,2,3)">Hello</p><script>document.body.append("script ran")</script>';

export const BODIES: Readonly<Record<string, Buffer | string>> = {
  png: picture,
  tiff: 'no picture',
  html: HTML,
  markdown: '# Hello',
  axtree_json: JSON_TEXT,
  har: JSON_TEXT,
};

/** A render that is played, and what became of it. */
export interface PlayedRender {
  readonly render: FakeRender;
  /** URLs that were to be rendered. */
  readonly started: string[];
  /** Resolves with why the endless render ended. */
  aborted(): Promise<unknown>;
}

/** Targets with a word of their own fail, wait, or leave assets. */
export function playRender(): PlayedRender {
  const started: string[] = [];
  let aborted: Promise<unknown> = Promise.resolve();
  const render: FakeRender = async ({ url, output: { contentType, extension, type } }, { signal, store }) => {
    started.push(url);
    if (url.includes('broken')) throw new PlatenError('target_status', 'the target answered 404', { target: { url, status: 404 } });
    if (url.includes('endless')) {
      const ended = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
      aborted = ended.catch((reason: unknown) => reason);
      return await ended;
    }
    const kept = url.includes('assets')
      ? await store?.put(
          { name: 'har', contentType: 'application/json', extension: 'har' },
          Buffer.from('{"log":1}'),
          new AbortController().signal,
        )
      : undefined;
    return {
      output: { contentType, extension, body: Buffer.from(BODIES[type] ?? `a ${type}`) },
      assets: kept === undefined ? NO_ASSETS : { kept: [kept], missing: [{ name: 'trace', reason: 'too late' }] },
      headers: {},
      timings: { queue: 1, open: 2, navigate: 3, wait: 4, capture: 50, encode: 6 },
    };
  };
  return { render, started, aborted: () => aborted };
}
