import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { OutboundError } from '../../../kernel/src/egress/exchange.js';
import { createOutbound } from '../../../kernel/src/egress/outbound.js';
import type { Judge } from '../../../kernel/src/egress/policy.js';
import { openSite } from '../../helpers/site.js';

const LIMITS = { maxBytes: 10_000, timeoutMs: 10_000 };
const byName = { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) };

describe('what the server fetches', () => {
  it('comes decoded, with its status and its headers', async () => {
    await using site = await openSite({
      '/list': { body: gzipSync('a list'), headers: { 'content-encoding': 'gzip', 'x-two': 'b' } },
      '/none': { status: 404, body: 'no' },
    });
    const { fetch } = createOutbound({ judges: [] });
    const list = await fetch(site.url('/list'), LIMITS);
    expect(list).toMatchObject({ status: 200, url: site.url('/list'), headers: { 'x-two': 'b' } });
    expect(list.body.toString()).toBe('a list');
    expect(await fetch(site.url('/none'), LIMITS)).toMatchObject({ status: 404 });
  });

  it('sends what it is told to, and says who asks', async () => {
    await using site = await openSite({ '/echo': { body: 'ok' } });
    const { fetch } = createOutbound({ judges: [] });
    await fetch(site.url('/echo'), { ...LIMITS, method: 'POST', headers: { 'X-Key': 'k' }, body: 'text' });
    const asked = site.requests.at(-1);
    expect(asked).toMatchObject({ method: 'POST', headers: { 'x-key': 'k', 'user-agent': expect.stringMatching(/^Platen\/\d/) } });
  });

  it('is refused by a rule, at the first host and at one that it is redirected to', async () => {
    await using site = await openSite({ '/away': { status: 302, headers: { location: 'http://other.test/' } } });
    const judges: Judge[] = [];
    const { fetch, judge } = createOutbound({ judges, ...byName });
    judge(({ host }) => (host === 'other.test' ? 'on the list' : undefined));
    await expect(fetch('http://other.test/', LIMITS)).rejects.toMatchObject({
      reason: 'blocked',
      message: expect.stringContaining('on the list'),
    });
    await expect(fetch(site.url('/away'), LIMITS)).rejects.toMatchObject({ reason: 'blocked' });
    expect(judges).toHaveLength(1);
  });

  it.each(['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'http://2852039166/'])('never goes to %s', async (url) => {
    await expect(createOutbound({ judges: [] }).fetch(url, LIMITS)).rejects.toMatchObject({ reason: 'blocked' });
  });

  it.each(['file:///etc/passwd', 'data:,x', 'ftp://127.0.0.1/'])('takes neither %s nor a redirect there', async (location) => {
    await using site = await openSite({ '/away': { status: 307, headers: { location } } });
    const { fetch } = createOutbound({ judges: [] });
    await expect(fetch(location, LIMITS)).rejects.toMatchObject({ reason: 'scheme' });
    await expect(fetch(site.url('/away'), LIMITS)).rejects.toMatchObject({ reason: 'scheme' });
  });

  it('keeps credentials at the first origin, over five redirects and no more', async () => {
    await using other = await openSite({ '/end': { body: 'there' } });
    await using site = await openSite({
      '/away': { status: 302, headers: { location: other.url('/end') } },
      '/loop': { status: 302, headers: { location: '/loop' } },
    });
    const { fetch } = createOutbound({ judges: [] });
    const headers = { authorization: 'Bearer s', cookie: 'a=b', 'x-kept': 'yes' };
    expect(await fetch(site.url('/away'), { ...LIMITS, headers })).toMatchObject({ url: other.url('/end') });
    const reached = other.requests.at(-1)?.headers;
    expect(reached).toMatchObject({ 'x-kept': 'yes' });
    expect(reached).not.toHaveProperty('authorization');
    expect(reached).not.toHaveProperty('cookie');
    await expect(fetch(site.url('/loop'), LIMITS)).rejects.toMatchObject({ reason: 'redirects' });
    expect(await fetch(site.url('/loop'), { ...LIMITS, maxRedirects: 0 })).toMatchObject({ status: 302 });
  });

  it('is bounded in bytes, also those of a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    await using site = await openSite({ '/bomb': { body: bomb, headers: { 'content-encoding': 'gzip' } } });
    const failed = createOutbound({ judges: [] }).fetch(site.url('/bomb'), { ...LIMITS, maxBytes: 1_000_000 });
    await expect(failed).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('ends with its time or with its signal', async () => {
    await using site = await openSite({ '/hangs': () => undefined });
    const { fetch } = createOutbound({ judges: [] });
    await expect(fetch(site.url('/hangs'), { ...LIMITS, timeoutMs: 100 })).rejects.toMatchObject({ reason: 'timeout' });
    const controller = new AbortController();
    const fetching = fetch(site.url('/hangs'), { ...LIMITS, signal: controller.signal });
    controller.abort(new Error('nobody waits'));
    await expect(fetching).rejects.toThrow('nobody waits');
  });

  it('names no credentials where it fails', async () => {
    const failed = createOutbound({ judges: [] }).fetch('http://user:secret@127.0.0.1:1/path?key=secret', LIMITS);
    const error: unknown = await failed.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OutboundError);
    expect(String(error)).toBe('OutboundError: http://127.0.0.1:1/path cannot be had: ECONNREFUSED');
  });
});
