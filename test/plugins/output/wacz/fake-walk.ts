import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ArchivedBody, ArchivedExchange, HeaderLine } from '@platen/lib-warc';
import type { Walk, WalkedPage } from '@platen/plugin-walk';

/** When the fake walks take place. */
export const START = new Date('2026-11-05T10:20:30.123Z');

export const after = (milliseconds: number) => new Date(START.getTime() + milliseconds);

function bodyOf(content: string | Buffer): ArchivedBody {
  const bytes = Buffer.from(content);
  return {
    state: 'complete',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: () => Readable.from([bytes], { objectMode: false }),
  };
}

export interface FakeExchange {
  readonly url: string;
  readonly method?: string;
  readonly posted?: string;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string | Buffer;
  readonly date?: Date;
  readonly resourceType?: string;
}

/** Like one that the recorder has settled. */
export function fakeExchange({ url, method = 'GET', posted, status = 200, type = 'text/html', ...rest }: FakeExchange): ArchivedExchange {
  const { headers = {}, content = '', date = START, resourceType = 'Document' } = rest;
  const linesOf = (fields: Readonly<Record<string, string>>): readonly HeaderLine[] =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const form = posted === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
  return {
    request: {
      ...{ method, url, headers: linesOf({ Host: new URL(url).host, ...form }) },
      body: posted === undefined ? undefined : bodyOf(posted),
    },
    response: {
      ...{ status, statusText: '', protocol: 'http/1.1', mimeType: type, servedFrom: 'network' },
      headers: linesOf({ 'Content-Type': type, ...headers }),
      remote: { address: '192.0.2.1', port: 80 },
      body: bodyOf(content),
    },
    ...{ resourceType, timing: { wallStart: date }, failure: undefined },
  };
}

export interface FakePage extends Partial<Omit<WalkedPage, 'exchanges'>> {
  readonly url: string;
  readonly exchanges: Iterable<ArchivedExchange> | AsyncIterable<ArchivedExchange>;
}

export function fakePage({ exchanges, ...given }: FakePage): WalkedPage {
  return {
    ...{ depth: 0, startedAt: START, title: '', status: 200, mimeType: 'text/html', loadState: 'complete', isPage: true },
    ...given,
    async *exchanges() {
      yield* exchanges;
    },
  };
}

export interface FakeWalk extends Walk {
  /** Sum of what was reported as written. */
  readonly written: number;
  /** The iterator was ended by its reader, or came to its own end. */
  readonly over: boolean;
}

export function fakeWalk(pages: Iterable<WalkedPage> | AsyncIterable<WalkedPage>, seed = 'http://site.test/'): FakeWalk {
  let written = 0;
  let over = false;
  return {
    ...{ seed, startedAt: START, browser: { name: 'Chromium', version: '156.0' } },
    ...{ summary: { done: 1, failed: 0, stopReason: undefined } },
    get written() {
      return written;
    },
    get over() {
      return over;
    },
    wrote(bytes) {
      written += bytes;
    },
    async *pages() {
      try {
        yield* pages;
      } finally {
        over = true;
      }
    },
  };
}

/** Of 2 by 1 pixels. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGNgYPj/HwADBAH/M7cqUgAAAABJRU5ErkJggg==',
  'base64',
);

/** A seed behind a redirect with a picture and a posted form, two pages below it, of which one never answered, and robots.txt. */
export function fakeSite(origin = 'http://site.test'): readonly WalkedPage[] {
  const at = (path: string) => `${origin}${path}`;
  const home = '<!doctype html><title>Home</title><img src="/picture.png"><p>welcome</p><a href="/second">second</a>';
  return [
    fakePage({
      ...{ url: at('/robots.txt'), isPage: false },
      exchanges: [
        fakeExchange({ url: at('/robots.txt'), type: 'text/plain', content: 'User-agent: *\nAllow: /\n', resourceType: 'Other' }),
      ],
    }),
    fakePage({
      ...{ url: at('/'), title: 'Home' },
      exchanges: [
        fakeExchange({ url: at('/#top'), status: 302, headers: { Location: '/home' }, date: after(1000) }),
        fakeExchange({ url: at('/home'), content: home, date: after(2000) }),
        fakeExchange({ url: at('/picture.png'), type: 'image/png', content: PICTURE, date: after(3000), resourceType: 'Image' }),
        fakeExchange({
          ...{ url: at('/form'), method: 'POST', posted: 'question=1&other=%C3%A4', type: 'application/json', content: '{"ok":true}' },
          ...{ date: after(4000), resourceType: 'Fetch' },
        }),
      ],
    }),
    fakePage({
      ...{ url: at('/second?a=1'), title: 'Second "page"', depth: 1, status: 404, loadState: 'failed' },
      exchanges: [fakeExchange({ url: at('/second?a=1'), status: 404, content: '<title>Second</title>not here', date: after(5000) })],
    }),
    fakePage({ url: at('/silent'), depth: 1, status: undefined, loadState: 'failed', exchanges: [] }),
    fakePage({
      ...{ url: at('/slow'), depth: 1, loadState: 'timeout' },
      exchanges: [fakeExchange({ url: at('/slow'), content: 'slow', date: after(6000) })],
    }),
  ];
}

export const pageUrl = (at: number) => `http://site.test/${String(at)}`;

/** Pages of one exchange each, of which the first is the seed. */
export function* generatePages(count: number, content: (at: number) => string | Buffer, title = ''): Generator<WalkedPage> {
  for (let at = 0; at < count; at += 1) {
    const exchanges = [fakeExchange({ url: pageUrl(at), content: content(at), date: after(at) })];
    yield fakePage({ url: pageUrl(at), title, depth: Math.min(at, 1), exchanges });
  }
}
