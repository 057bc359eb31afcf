import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../plugins/lib/frontier/src/index.js';
import { claimAll, claimOne, openTemporary } from './open-temporary.js';

const offers = (depth: number, ...urls: readonly string[]): readonly Offer[] => urls.map((url) => ({ url, depth }));

describe('the order of a frontier', () => {
  it('is by depth, then first in, first out, over all hosts', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    await frontier.offer(offers(2, 'http://a.example/1', 'http://b.example/1'));
    await frontier.offer(offers(1, 'http://b.example/2', 'http://a.example/2'));
    await frontier.offer(offers(2, 'http://a.example/3'));
    await frontier.offer(offers(0, 'http://c.example/'));
    await frontier.offer(offers(10, 'http://a.example/10'));
    const urls = ['http://c.example/', 'http://b.example/2', 'http://a.example/2', 'http://a.example/1', 'http://b.example/1'];
    expect(await claimAll(frontier)).toEqual([...urls, 'http://a.example/3', 'http://a.example/10']);
  });

  it('takes what comes at a lower depth first, and nothing twice', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    await frontier.offer(offers(1, 'http://a.example/1', 'http://a.example/2', 'http://a.example/3'));
    expect((await claimOne(frontier)).url).toBe('http://a.example/1');
    expect((await claimOne(frontier)).url).toBe('http://a.example/2');
    await frontier.offer(offers(0, 'http://a.example/0'));
    expect(await claimAll(frontier)).toEqual(['http://a.example/0', 'http://a.example/3']);
  });

  it('gives back what was offered', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    const offer = { url: 'http://a!b.example:81/%F0?q=é#f', depth: 3, isFile: true, lastModified: '2026-01-01' };
    await frontier.offer([offer, { url: 'http://[::1]:8080/', depth: 4 }]);
    expect(await claimOne(frontier)).toEqual({ ...offer, tries: 0, id: expect.any(String) });
    expect((await claimOne(frontier)).url).toBe('http://[::1]:8080/');
    expect(await frontier.claim(0)).toBeUndefined();
  });

  it('does not mix hosts whose names begin alike', async () => {
    await using opened = await openTemporary();
    const urls = [
      'http://a/1',
      'http://a0/1',
      'http://a:8080/1',
      'http://a.b/1',
      'http://a/2',
      'http://a0/2',
      'http://a:8080/2',
      'http://a.b/2',
    ];
    await opened.frontier.offer(offers(0, ...urls));
    expect(await claimAll(opened.frontier)).toEqual(urls);
  });
});

describe('a URL', () => {
  it('is new once, in one call and in many, also at the same time', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    expect(await frontier.offer(offers(0, 'http://a.example/', 'http://A.example:80/#x', 'http://a.example/?'))).toBe(1);
    expect(await frontier.offer(offers(0, 'http://a.example/'))).toBe(0);
    const many = offers(1, ...Array.from({ length: 2500 }, (_, index) => `http://a.example/${index % 2400}`));
    const added = await Promise.all([frontier.offer(many), frontier.offer(many), frontier.offer([])]);
    expect(added).toEqual([2400, 0, 0]);
    expect(frontier.counts.queued).toBe(2401);
  });

  it('is one with those of the same key, if the caller has its own', async () => {
    await using opened = await openTemporary({ keyOf: (url) => new URL(url).pathname });
    expect(await opened.frontier.offer(offers(0, 'http://a.example/x?1', 'http://b.example/x?2', 'http://b.example/y'))).toBe(2);
  });

  it('that is done or failed is not new again', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    await frontier.offer(offers(0, 'http://a.example/1', 'http://a.example/2'));
    await frontier.done(await claimOne(frontier));
    await frontier.fail(await claimOne(frontier));
    expect(await frontier.offer(offers(0, 'http://a.example/1', 'http://a.example/2'))).toBe(0);
    expect(await frontier.claim(0)).toBeUndefined();
  });

  it('that is not absolute is refused', async () => {
    await using opened = await openTemporary();
    await expect(opened.frontier.offer(offers(0, '/x'))).rejects.toThrow(TypeError);
    expect(await opened.frontier.offer(offers(0, 'http://a.example/'))).toBe(1);
  });

  it('is settled once', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    await frontier.offer(offers(0, 'http://a.example/'));
    const claim = await claimOne(frontier);
    await frontier.done(claim);
    await expect(frontier.done(claim)).rejects.toThrow('not claimed');
    await expect(frontier.fail(claim, { after: 1 })).rejects.toThrow('not claimed');
    expect(frontier.counts).toEqual({ queued: 0, claimed: 0, done: 1, failed: 0 });
  });
});

describe('a URL that is put back', () => {
  it('is claimed from that moment on, at the end of its depth, with one try more', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    await frontier.offer(offers(1, 'http://a.example/1', 'http://a.example/2'));
    await frontier.offer(offers(2, 'http://a.example/3'));
    const first = await claimOne(frontier);
    await frontier.fail(first, { after: 500 });
    expect((await claimOne(frontier, 499)).url).toBe('http://a.example/2');
    const again = await claimOne(frontier, 500);
    expect(again).toEqual({ url: 'http://a.example/1', depth: 1, tries: 1, id: expect.not.stringMatching(first.id) });
    await frontier.fail(again, { after: 600 });
    expect((await claimOne(frontier, 599)).url).toBe('http://a.example/3');
    expect(await frontier.claim(599)).toBe(1);
    expect(await claimOne(frontier, 600)).toMatchObject({ url: 'http://a.example/1', tries: 2 });
  });

  it('leaves the order of many to their moments, then to when they were put back', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    const urls = Array.from({ length: 12 }, (_, index) => `http://a.example/${index}`);
    await frontier.offer(offers(0, ...urls));
    const claims = await Promise.all(urls.map(() => claimOne(frontier)));
    for (const [index, claim] of claims.entries()) await frontier.fail(claim, { after: index === 11 ? 10 : 20 });
    expect(await frontier.claim(5)).toBe(5);
    expect(await claimAll(frontier, 10)).toEqual([urls[11]]);
    expect(await claimAll(frontier, 20)).toEqual(urls.slice(0, 11));
  });
});

it('no more are claimed than asked for, by many that ask at the same time', async () => {
  await using opened = await openTemporary();
  const { frontier } = opened;
  await frontier.offer(offers(0, ...Array.from({ length: 10 }, (_, index) => `http://a.example/${index}`)));
  const claims = await Promise.all([1, 2, 3, 4].map(() => frontier.claim(0, 2)));
  expect(claims.filter((claim) => claim !== undefined)).toHaveLength(2);
  await frontier.done(await claimOne(frontier));
  expect(await frontier.claim(0, 3)).toBeUndefined();
  expect(await frontier.claim(0, 4)).toMatchObject({ url: 'http://a.example/3' });
});

it('the counts are those of the URLs in each state', async () => {
  await using opened = await openTemporary();
  const { frontier } = opened;
  expect(frontier.counts).toEqual({ queued: 0, claimed: 0, done: 0, failed: 0 });
  await frontier.offer(offers(0, ...Array.from({ length: 10 }, (_, index) => `http://a.example/${index}`)));
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimOne(frontier)));
  expect(frontier.counts).toEqual({ queued: 6, claimed: 4, done: 0, failed: 0 });
  const [done, failed, later] = claims;
  if (!done || !failed || !later) throw new Error('four were claimed');
  await Promise.all([frontier.done(done), frontier.fail(failed), frontier.fail(later, { after: 1 })]);
  expect(frontier.counts).toEqual({ queued: 7, claimed: 1, done: 1, failed: 1 });
});
