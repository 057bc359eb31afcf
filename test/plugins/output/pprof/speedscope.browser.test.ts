import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pprof from '@platen/plugin-pprof';
import { expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';

const require = createRequire(import.meta.url);
const RELEASE = join(dirname(require.resolve('speedscope/package.json')), 'dist/release');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** The text that the page shows once the pattern is in it, in its third view, which is a table. */
function tableOf(pattern: RegExp) {
  return definePlugin({
    name: 'table',
    captures: [{ kind: 'table' }],
    outputs: [{ type: 'table', from: 'table', contentType: 'text/plain', extension: 'txt' }],
    apply({ hooks }) {
      hooks.capture.for('table').tapPromise('table', async ({ page }) => {
        let text = '';
        await until(async () => {
          await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '3', code: 'Digit3', text: '3' });
          text = await page.evaluate(() => document.body.innerText);
          return pattern.test(text);
        });
        return text;
      });
      hooks.encode.for('table').tapPromise('table', (text) => {
        const body = Buffer.from(String(text));
        return Promise.resolve({ contentType: 'text/plain', extension: 'txt', body });
      });
    },
  });
}

/** speedscope as a site, with a profile to open. */
async function openSpeedscope(profile: Buffer) {
  const names = (await readdir(RELEASE)).filter((name) => TYPES[extname(name)] !== undefined);
  const files = names.map(async (name) => {
    return [`/${name}`, { headers: { 'content-type': TYPES[extname(name)] ?? '' }, body: await readFile(join(RELEASE, name)) }] as const;
  });
  return openSite({ ...Object.fromEntries(await Promise.all(files)), '/profile': profile });
}

it.each([
  ['pprof_cpu', 'function hot() { const until = performance.now() + 100; while (performance.now() < until); } hot();', 'hot'],
  ['pprof_memory', 'function retain() { window.kept = new Array(500000).fill(1.5); } retain();', 'retain'],
])('speedscope opens what %s gives', async (output_type, script, name) => {
  // A row of the table: total, self, symbol name.
  const row = new RegExp(String.raw`%\)\s+${name}\b`);
  await using host = createTestKernel({ plugins: [pprof, tableOf(row)] });
  const profiled = await host.render({ url: `data:text/html,${encodeURIComponent(`<p>x<script>${script}</script>`)}`, output_type });
  await using site = await openSpeedscope(await profiled.bytes());
  const url = `${site.url('/index.html')}#profileURL=${encodeURIComponent(site.url('/profile'))}`;
  const { bytes } = await host.render({ url, output_type: 'table' });
  expect((await bytes()).toString()).toMatch(row);
});
