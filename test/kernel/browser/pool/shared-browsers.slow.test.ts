import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { openPool, type TestPool } from '../open-pool.js';

let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/': () =>
      `<!doctype html><body style="margin:0"><iframe src="${site.url('/frame', 'localhost')}" style="border:0;width:100px;height:100px"></iframe>`,
    '/frame': `<!doctype html><style>
      body { margin: 0; height: 100px; background: repeating-linear-gradient(90deg, #000 0 .5px, #fff .5px 1px) }
      b { display: block; height: 50px; background: red }
      @media (resolution: 2dppx) { b { background: lime } }
    </style><b></b>`,
  });
});

afterAll(() => site[Symbol.asyncDispose]());

const at = (pool: TestPool, deviceScaleFactor: number): Promise<Lease> => pool.lease({ scaled: true, profile: { deviceScaleFactor } });

async function use(pool: TestPool, scale: number): Promise<void> {
  await (await at(pool, scale))[Symbol.asyncDispose]();
}

/** The scale that the browser itself has, whatever the page is told. */
const scaleOf = ({ tab: { page } }: Lease): Promise<number> => page.nativeScaleFactor();

/** Runs in the page: of four boxes with borders that fit beside each other exactly. */
function countRows(): number {
  const box = '<p style="float:left;margin:0;width:300px;height:50px;border:1px solid"></p>';
  document.body.innerHTML = `<div style="width:1208px">${box.repeat(4)}</div>`;
  return new Set(Array.from(document.querySelectorAll('p'), ({ offsetTop }) => offsetTop)).size;
}

const browsers = (pool: TestPool) => pool.pool.status().browsers;

test('a frame of another site is painted at the scale of the picture', async () => {
  await using pool = openPool();
  await using lease = await at(pool, 2);
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  const picture = await lease.tab.page.screenshot({ format: 'png' });
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  expect(info.width).toBe(2560);
  expect(pixel(20, 20)).toEqual([0, 255, 0]);
  expect([0, 1, 2, 3].map((x) => pixel(40 + x, 150)[0])).toEqual([0, 255, 0, 255]);
});

describe('a browser of another scale', () => {
  test('is shared by the renders of its scale, and by no others', async () => {
    await using pool = openPool();
    await using first = await at(pool, 2);
    await using second = await at(pool, 2);
    await using plain = await at(pool, 1);
    await using unconcerned = await pool.lease({ profile: { deviceScaleFactor: 2 } });
    expect(await Promise.all([first, second, plain, unconcerned].map(scaleOf))).toEqual([2, 2, 1, 1]);
    expect(browsers(pool)).toBe(2);
  });

  test('is not used where it would give the page another viewport', async () => {
    await using pool = openPool();
    const profile = { width: 303, height: 570, deviceScaleFactor: 1.5 };
    await using lease = await pool.lease({ scaled: true, profile });
    expect(await lease.tab.page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio])).toEqual([303, 570, 1.5]);
    expect(await scaleOf(lease)).toBe(1);
  });

  test.each([1.1, 1.15, 1.4, 2.2, 2.3])('is used where arithmetic alone makes it no whole number of pixels: %f', async (scale) => {
    await using pool = openPool();
    await using lease = await at(pool, scale);
    expect(await scaleOf(lease)).toBeCloseTo(scale, 5);
    expect(await lease.tab.page.evaluate(() => [innerWidth, innerHeight])).toEqual([1280, 720]);
  });

  test.each([0.5, 0.75, 0.9])('is not used below 1, where borders would take more of the layout: %f', async (scale) => {
    await using pool = openPool();
    await using lease = await at(pool, scale);
    expect(await lease.tab.page.evaluate(countRows)).toBe(1);
    expect(await scaleOf(lease)).toBe(1);
  });

  test('of a render of its own lays out alike below 1', async () => {
    await using pool = openPool();
    await using lease = await pool.lease({ exclusive: true, profile: { deviceScaleFactor: 0.75 } });
    expect(await lease.tab.page.evaluate(countRows)).toBe(1);
  });

  test('ends when nobody has used it for its time, and starts anew', async () => {
    await using pool = openPool({ idleMs: 50 });
    await using plain = await at(pool, 1);
    const held = await at(pool, 2);
    await use(pool, 2);
    expect(browsers(pool)).toBe(2);
    await held[Symbol.asyncDispose]();
    await until(() => browsers(pool) === 1);
    await using again = await at(pool, 2);
    expect(await Promise.all([plain, again].map(scaleOf))).toEqual([1, 2]);
    expect(pool.pool.status().restarts).toBe(0);
  });

  test('makes room for a third: the one used longest ago, not one that is in use', async () => {
    await using pool = openPool();
    await using held = await at(pool, 2);
    await use(pool, 3);
    await use(pool, 1.5);
    await until(() => browsers(pool) === 2);
    expect(await scaleOf(held)).toBe(2);
    await using third = await at(pool, 1.5);
    await using fourth = await at(pool, 4);
    expect(browsers(pool)).toBe(3);
    await third[Symbol.asyncDispose]();
    await until(() => browsers(pool) === 2);
    expect(await Promise.all([held, fourth].map(scaleOf))).toEqual([2, 4]);
  });

  test('that crashes is replaced for the next render of its scale', async () => {
    await using pool = openPool();
    await using lost = await at(pool, 2);
    await lost.tab.page.send('Browser.crash').catch(() => undefined);
    await until(() => lost.browserGone);
    await using next = await at(pool, 2);
    expect(await scaleOf(next)).toBe(2);
    expect(pool.pool.status().restarts).toBe(1);
  });

  test('that has served long enough is renewed by the next render', async () => {
    await using pool = openPool({ recycleAfter: 2 });
    await use(pool, 2);
    await use(pool, 2);
    await until(() => browsers(pool) === 0);
    await using next = await at(pool, 2);
    expect(await scaleOf(next)).toBe(2);
  });
});
