import { describe, expect, it } from 'vitest';
import type { Frontier } from '../../../../plugins/lib/frontier/src/index.js';
import { claimOne, openTemporary } from './open-temporary.js';

const offerPages = (frontier: Frontier, host: string, pages = 3): Promise<number> =>
  frontier.offer(Array.from({ length: pages }, (_, index) => ({ url: `http://${host}/${index}`, depth: 0 })));

describe('the delay of a host', () => {
  it('counts from claim to claim, whatever becomes of the URL', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example');
    const first = await claimOne(frontier, 5000);
    expect(await frontier.claim(5000)).toBe(1000);
    await frontier.done(first);
    expect(await frontier.claim(5999)).toBe(1);
    await claimOne(frontier, 6000);
    expect(await frontier.claim(6001)).toBe(999);
  });

  it('begins when the host was asked without a claim', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example');
    frontier.asked('a.example', 4700);
    expect(await frontier.claim(5000)).toBe(700);
    await claimOne(frontier, 5700);
    frontier.asked('a.example', 4800);
    expect(await frontier.claim(5700)).toBe(1000);
  });

  it('does not make other hosts wait, not even one with a long queue before them', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example', 100);
    await offerPages(frontier, 'b.example');
    frontier.setDelay('a.example', 60_000);
    expect((await claimOne(frontier, 0)).url).toBe('http://a.example/0');
    expect((await claimOne(frontier, 0)).url).toBe('http://b.example/0');
    expect(await frontier.claim(0)).toBe(1000);
    expect((await claimOne(frontier, 1000)).url).toBe('http://b.example/1');
    expect((await claimOne(frontier, 2000)).url).toBe('http://b.example/2');
    expect(await frontier.claim(2000)).toBe(58_000);
  });

  it('is separate for each port', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example');
    await offerPages(frontier, 'a.example:8080');
    expect((await claimOne(frontier)).url).toBe('http://a.example/0');
    expect((await claimOne(frontier)).url).toBe('http://a.example:8080/0');
    expect(await frontier.claim(0)).toBe(1000);
  });

  it('can be raised and lowered while the host waits', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example', 5);
    await claimOne(frontier, 0);
    frontier.setDelay('a.example', 5000);
    expect(await frontier.claim(1000)).toBe(4000);
    frontier.setDelay('a.example', 200);
    await claimOne(frontier, 1000);
    expect(await frontier.claim(1000)).toBe(200);
    frontier.setDelay('a.example', 0);
    await claimOne(frontier, 1000);
    await claimOne(frontier, 1000);
  });

  it('holds for URLs that come later', async () => {
    await using opened = await openTemporary({ delayMs: 1000 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example', 1);
    await frontier.done(await claimOne(frontier, 0));
    expect(await frontier.claim(100)).toBeUndefined();
    await offerPages(frontier, 'a.example', 2);
    expect(await frontier.claim(100)).toBe(900);
    expect((await claimOne(frontier, 1000)).url).toBe('http://a.example/1');
  });
});

describe('a paused host', () => {
  it('is not asked before that moment, while others are', async () => {
    await using opened = await openTemporary({ delayMs: 100 });
    const { frontier } = opened;
    await offerPages(frontier, 'a.example');
    await offerPages(frontier, 'b.example');
    const refused = await claimOne(frontier, 0);
    frontier.pause('a.example', 30_000);
    frontier.pause('a.example', 20_000);
    await frontier.fail(refused, { after: 30_000 });
    for (const now of [0, 100, 200]) expect((await claimOne(frontier, now)).url).toMatch('http://b.example/');
    expect(await frontier.claim(200)).toBe(29_800);
    expect((await claimOne(frontier, 30_000)).url).toBe('http://a.example/1');
    expect(await frontier.claim(30_000)).toBe(100);
  });

  it('may be paused before any URL of it is known', async () => {
    await using opened = await openTemporary();
    const { frontier } = opened;
    frontier.pause('a.example', 500);
    expect(await frontier.claim(0)).toBeUndefined();
    await offerPages(frontier, 'a.example');
    expect(await frontier.claim(0)).toBe(500);
    await claimOne(frontier, 500);
  });
});

it('many hosts take their turns: none is asked early, each as soon as it may be, in the order of the queue', async () => {
  const HOSTS = 1500;
  await using opened = await openTemporary({ delayMs: 10 });
  const { frontier } = opened;
  const hostOf = (index: number): string => `${(index * 7919) % HOSTS}.example`;
  for (const [depth, path] of ['first', 'second'].entries())
    await frontier.offer(Array.from({ length: HOSTS }, (_, index) => ({ url: `http://${hostOf(index)}/${path}`, depth })));
  for (let index = 0; index < HOSTS; index += 1) if (index % 3 > 0) frontier.setDelay(`${index}.example`, 10 + (index % 3) * 10);
  for (let index = 0; index < HOSTS; index += 1) {
    const { url } = await claimOne(frontier, 0);
    expect(url).toBe(`http://${hostOf(index)}/first`);
  }
  const seconds: string[] = [];
  for (let now = 0; ;) {
    const claim = await frontier.claim(now);
    if (claim === undefined) break;
    if (typeof claim === 'number') now += claim;
    else seconds.push(`${now} ${new URL(claim.url).host}`);
  }
  const expected = [10, 20, 30].flatMap((now) =>
    Array.from({ length: HOSTS }, (_, index) => hostOf(index))
      .filter((host) => 10 + (parseInt(host, 10) % 3) * 10 === now)
      .map((host) => `${now} ${host}`),
  );
  expect(seconds).toEqual(expected);
});
