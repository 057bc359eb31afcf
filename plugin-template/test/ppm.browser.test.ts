import { readFile } from 'node:fs/promises';
import { screenshot } from 'platen/captures';
import { definePlugin } from 'platen/kernel';
import { createTestKernel, generateManifest, pluginContract } from 'platen/testing';
import { afterAll, describe, expect, it } from 'vitest';
import ppm from '../src/index.js';

const manifest = generateManifest(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')), [ppm]);
const other = definePlugin({
  name: 'other',
  outputs: [{ type: 'other', from: 'screenshot', contentType: 'image/png', extension: 'png' }],
  apply({ hooks }) {
    hooks.encode.for('other').tap('other', ({ data }) => ({ contentType: 'image/png', extension: 'png', body: data }));
  },
});
const host = createTestKernel({ plugins: [screenshot, ppm, other] });
afterAll(() => host[Symbol.asyncDispose]());

const RED = { url: 'data:text/html,<body style="background:red">', output_type: 'ppm', image_width: 64 };

it('package.json declares what the definition does (`npx vitest run -u` writes it)', async () => {
  await expect(`${JSON.stringify(manifest, null, 2)}\n`).toMatchFileSnapshot('../package.json');
});

describe('the plugin contract', () => {
  for (const check of pluginContract({ plugin: ppm, manifest, companions: [screenshot] })) it(check.name, check.run);
});

describe('ppm', () => {
  it('is a binary pixmap by default: header, then three bytes a pixel', async () => {
    const body = await (await host.render(RED)).bytes();
    expect(body.subarray(0, 13).toString()).toBe('P6\n64 36\n255\n');
    expect(body.subarray(13)).toEqual(Buffer.concat(Array.from({ length: 64 * 36 }, () => Buffer.from([255, 0, 0]))));
  });

  it('is text with ppm_plain, no line above 70 characters', async () => {
    const lines = (await (await host.render({ ...RED, ppm_plain: true })).bytes()).toString().split('\n');
    expect(lines.slice(0, 4)).toEqual(['P3', '64 36', '255', '255 0 0 255 0 0 255 0 0 255 0 0 255 0 0']);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(70);
  });

  it('refuses its key for other output types', () => {
    const params = { ...RED, output_type: 'other', ppm_plain: true };
    expect(() => host.kernel.plan(params)).toThrow('"ppm_plain" requires "output_type" "ppm"');
  });
});
