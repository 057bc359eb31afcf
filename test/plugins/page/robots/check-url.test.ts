import { gzipSync } from 'node:zlib';
import { OutboundError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import type { Fetch } from '../../../../plugins/page/robots/src/fetch-robots.js';
import { checkUrl, createRobotsCache } from '../../../../plugins/page/robots/src/check-url.js';
import { openSite } from '../../../helpers/site.js';

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A cache over answers by URL, with a clock of the test's own; unknown URLs are 404. */
function rig(answers: Record<string, Answer | Error>) {
  const asked: string[] = [];
  let clock = 0;
  const ask: Fetch = (url) => {
    asked.push(url);
    const answer = answers[url] ?? { status: 404 };
    if (answer instanceof Error) return Promise.reject(answer);
    const { status = 200, headers = {}, body = '' } = answer;
    return Promise.resolve({ url, status, headers, body: Buffer.from(body) });
  };
  const cache = createRobotsCache({ ask, now: () => clock });
  return {
    asked,
    answers,
    check: (url: string) => checkUrl(cache, new URL(url)),
    later(seconds: number) {
      clock += seconds * 1000;
    },
  };
}

const FORBID = 'User-agent: *\nDisallow: /no';
const ROBOTS = 'http://a.test/robots.txt';
const redirect = (location: string): Answer => ({ status: 302, headers: { location } });

describe('RFC 9309, 2.3.1: what an answer means', () => {
  it.each([
    ['2xx is parsed', { body: FORBID }, false],
    ['206 is parsed', { status: 206, body: FORBID }, false],
    ['401 allows', { status: 401, body: FORBID }, true],
    ['404 allows', { status: 404, body: FORBID }, true],
    ['429 disallows', { status: 429 }, false],
    ['500 disallows', { status: 500 }, false],
    ['503 disallows', { status: 503, body: 'User-agent: *\nAllow: /' }, false],
    ['an answer that does not come disallows', new OutboundError('timeout', 'no answer'), false],
    ['no connection disallows', new OutboundError('unreachable', 'ECONNREFUSED'), false],
    ['a redirect without a place allows', { status: 302 }, true],
    ['a redirect to another scheme allows', redirect('ftp://a.test/robots.txt'), true],
  ] as const)('%s', async (_name, answer, allowed) => {
    const { check } = rig({ [ROBOTS]: answer });
    expect((await check('http://a.test/no')).allowed).toBe(allowed);
  });

  it('five redirects are followed, also to other origins; the sixth means that there is no file', async () => {
    const hops = (count: number): Record<string, Answer> =>
      Object.fromEntries([
        [ROBOTS, redirect('http://h1.test/')],
        ...Array.from(
          { length: count - 1 },
          (_, n) => [`http://h${String(n + 1)}.test/`, redirect(`http://h${String(n + 2)}.test/`)] as const,
        ),
        [`http://h${String(count)}.test/`, { body: FORBID }],
      ]);
    expect(await rig(hops(5)).check('http://a.test/no')).toMatchObject({ allowed: false });
    expect(await rig(hops(6)).check('http://a.test/no')).toMatchObject({ allowed: true });
  });

  it('rules beyond the first 500 KiB are not read', async () => {
    const filler = `#${'x'.repeat(1023)}\n`.repeat(500);
    const { check } = rig({ [ROBOTS]: { body: `User-agent: *\nDisallow: /first\n${filler}Disallow: /last\n` } });
    expect(await check('http://a.test/first')).toMatchObject({ allowed: false });
    expect(await check('http://a.test/last')).toMatchObject({ allowed: true });
  });

  it('says which line forbids, or why there are no rules', async () => {
    expect((await rig({ [ROBOTS]: { body: FORBID } }).check('http://a.test/no')).reason).toBe(
      'line 2 of http://a.test/robots.txt disallows it: "Disallow: /no"',
    );
    expect((await rig({ [ROBOTS]: { status: 503 } }).check('http://a.test/')).reason).toBe(
      'http://a.test/robots.txt responds with status 503, and without its robots.txt the whole site counts as disallowed',
    );
  });

  it('scheme, host and port make the origin that is asked', async () => {
    const { check, asked } = rig({});
    for (const url of ['http://a.test/x', 'https://a.test/x', 'http://a.test:81/x', 'http://b.a.test/x', 'http://A.test:80/y'])
      await check(url);
    expect(asked).toEqual([ROBOTS, 'https://a.test/robots.txt', 'http://a.test:81/robots.txt', 'http://b.a.test/robots.txt']);
  });

  it('asks nobody about what has no origin', async () => {
    const { check, asked } = rig({});
    expect(await check('data:text/html,x')).toMatchObject({ allowed: true });
    expect(asked).toEqual([]);
  });
});

describe('RFC 9309, 2.4: rules are cached', () => {
  it('who asks while the origin is being asked shares its answer', async () => {
    const { check, asked } = rig({ [ROBOTS]: { body: FORBID } });
    const verdicts = await Promise.all(['/no', '/yes', '/no'].map((path) => check(`http://a.test${path}`)));
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([false, true, false]);
    expect(asked).toEqual([ROBOTS]);
  });

  it.each([
    ['an hour where nothing is said', {}, 3599, 3601],
    ['max-age', { 'cache-control': 'public, max-age=7200' }, 7199, 7201],
    ['max-age less Age', { 'cache-control': 'max-age=7200', age: '3600' }, 3599, 3601],
    ['never more than a day', { 'cache-control': 'max-age=31536000' }, 86_399, 86_401],
    ['never less than five minutes', { 'cache-control': 'max-age=0' }, 299, 301],
    ['five minutes for no-cache', { 'cache-control': 'no-cache, max-age=7200' }, 299, 301],
  ])('%s', async (_name, headers, still, over) => {
    const { check, asked, later } = rig({ [ROBOTS]: { headers, body: FORBID } });
    await check('http://a.test/');
    later(still);
    await check('http://a.test/');
    expect(asked).toHaveLength(1);
    later(over - still);
    await check('http://a.test/');
    expect(asked).toHaveLength(2);
  });

  it('rules that could not be had are asked for again after a minute', async () => {
    const { check, answers, later } = rig({ [ROBOTS]: { status: 500 } });
    expect(await check('http://a.test/')).toMatchObject({ allowed: false });
    answers[ROBOTS] = { body: FORBID };
    later(59);
    expect(await check('http://a.test/')).toMatchObject({ allowed: false });
    later(2);
    expect(await check('http://a.test/')).toMatchObject({ allowed: true });
  });

  it.each([
    ['nobody listened', new OutboundError('unreachable', 'no', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))],
    [
      'there was no valid certificate',
      new OutboundError('unreachable', 'no', Object.assign(new Error('no'), { code: 'CERT_HAS_EXPIRED' })),
    ],
  ])('that %s is never kept', async (_name, fault) => {
    const { check, answers } = rig({ [ROBOTS]: fault });
    expect(await check('http://a.test/')).toMatchObject({ allowed: false, unconnected: true });
    answers[ROBOTS] = { body: FORBID };
    expect(await check('http://a.test/')).toMatchObject({ allowed: true, unconnected: false });
    expect(await check('http://a.test/no')).toMatchObject({ allowed: false, unconnected: false });
  });

  it.each([
    ['the site', { [ROBOTS]: new OutboundError('blocked', 'a rule') }],
    [
      'where its robots.txt redirects to',
      { [ROBOTS]: redirect('http://b.test/'), 'http://b.test/': new OutboundError('blocked', 'a rule') },
    ],
  ])('that the egress refuses %s is never kept', async (_name, at) => {
    const { check, answers } = rig(at);
    expect(await check('http://a.test/')).toMatchObject({ allowed: false });
    for (const url of Object.keys(answers)) answers[url] = { body: FORBID };
    expect(await check('http://a.test/')).toMatchObject({ allowed: true });
    expect(await check('http://a.test/no')).toMatchObject({ allowed: false, reason: expect.stringContaining('line 2') });
  });

  it.each([
    ['status 503', { status: 503 }, 60, 40],
    ['status 429', { status: 429 }, 60, 40],
    ['no answer', new OutboundError('timeout', 'no answer'), 60, 40],
    ['a connection that breaks off', new OutboundError('unreachable', 'ECONNRESET'), 60, 40],
    ['nobody who listens', new OutboundError('unreachable', 'no', Object.assign(new Error('no'), { code: 'ECONNREFUSED' })), 1, 1],
    [
      'a certificate',
      new OutboundError('unreachable', 'no', Object.assign(new Error('no'), { code: 'CERT_HAS_EXPIRED' })),
      undefined,
      undefined,
    ],
    ['a rule of the egress', new OutboundError('blocked', 'a rule'), undefined, undefined],
    ['a file that is too long', new OutboundError('too_large', 'too long'), undefined, undefined],
    ['an answer that is no HTTP', new OutboundError('malformed', 'no HTTP'), undefined, undefined],
    ['a rule', { body: 'User-agent: *\nDisallow: /' }, undefined, undefined],
  ])('for %s, another try makes sense when they are asked for again, if at all', async (_name, answer, first, later20) => {
    const { check, later } = rig({ [ROBOTS]: answer });
    expect(await check('http://a.test/')).toMatchObject({ allowed: false, retryAfter: first });
    later(20);
    expect(await check('http://a.test/')).toMatchObject({ allowed: false, retryAfter: later20 });
  });

  it('old rules stay where there are no new ones to be had', async () => {
    const { check, answers, later, asked } = rig({ [ROBOTS]: { body: FORBID } });
    await check('http://a.test/');
    answers[ROBOTS] = { status: 503 };
    later(4000);
    expect(await check('http://a.test/yes')).toMatchObject({ allowed: true });
    expect(await check('http://a.test/no')).toMatchObject({ allowed: false, reason: expect.stringContaining('line 2') });
    expect(asked).toHaveLength(2);
  });
});

describe('an answer whose body is not what its headers say', () => {
  const headers = { 'content-encoding': 'gzip' };
  const checkBy = (url: string) => checkUrl(createRobotsCache({ ask: createOutbound({ addressFilters: [] }).fetch }), new URL(url));

  it.each([
    ['empty', ''],
    ['not packed', 'text'],
    ['half', gzipSync('text').subarray(0, 5)],
    ['longer than any file', Buffer.alloc(12_000_000)],
  ])('allows where its status does: %s', async (_name, body) => {
    await using site = await openSite({ '/robots.txt': { status: 404, headers, body } });
    expect(await checkBy(site.url('/no'))).toMatchObject({ allowed: true });
  });

  it('allows where a redirect leads to such a one, or to nothing', async () => {
    await using site = await openSite({ '/robots.txt': { status: 301, headers: { ...headers, location: '/none' }, body: '' } });
    expect(await checkBy(site.url('/no'))).toMatchObject({ allowed: true });
  });

  it('is no file where it is empty, and disallows where it is not packed', async () => {
    await using empty = await openSite({ '/robots.txt': { headers, body: '' } });
    expect(await checkBy(empty.url('/no'))).toMatchObject({ allowed: true });
    await using plain = await openSite({ '/robots.txt': { headers, body: 'text' } });
    expect(await checkBy(plain.url('/no'))).toMatchObject({ allowed: false });
  });

  it('disallows where the site wants to switch protocols', async () => {
    await using site = await openSite({
      '/robots.txt': (_request, response) => {
        response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end();
      },
    });
    expect(await checkBy(site.url('/no'))).toMatchObject({ allowed: false });
  });
});
