import { createHash } from 'node:crypto';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import freeze from '@platen/plugin-freeze';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../../helpers/site.js';
import { openRestlessSite, RESTLESS } from './restless-pages.js';

/** `FREEZE_ROUNDS=20` is the proof that was asked for. */
const ROUNDS = Number(process.env['FREEZE_ROUNDS'] ?? 6);

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [freeze, png, screenshot, wait] });
  site = await openRestlessSite();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function digest(path: string): Promise<string> {
  const { bytes } = await host.render({ url: site.url(path), output_type: 'png', freeze: true, timeout: 30 });
  const png = await bytes();
  return createHash('sha256').update(png).digest('hex');
}

describe('a restless page', () => {
  it.each(Object.keys(RESTLESS))('%s is the same picture each time, two at a time', { timeout: 20_000 * ROUNDS }, async (path) => {
    const digests: string[] = [];
    for (let round = 0; round < ROUNDS; round += 2) digests.push(...(await Promise.all([digest(path), digest(path)])));
    expect(new Set(digests)).toHaveProperty('size', 1);
  });
});
