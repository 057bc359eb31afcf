import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundle } from '../../../server/dist/trim/build-bundle.js';
import { runCli, startServer } from '../../helpers/run-cli.js';
import { openSite } from '../../helpers/site.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the clone: packages with native code are found from there.
const BUNDLE = join(ROOT, '.runtime', `bundle-${String(process.pid)}`, 'bundle');
let file = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-bundle-'));
  await buildBundle(BUNDLE);
  file = join(BUNDLE, await readFile(join(BUNDLE, 'current'), 'utf8'), 'cli.mjs');
}, 120_000);

afterAll(async () => {
  await rm(join(BUNDLE, '..'), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

describe('the bundle', () => {
  it('has the same help, plugins and refusals as the modules that it is made of', async () => {
    for (const args of [['help', 'keys'], ['plugins'], ['help', 'wait_for'], ['https://example.com', 'x.png', '--widht', '5']]) {
      const [theirs, own] = [await runCli(args, { cwd: folder }), await runCli(args, { cwd: folder, file })];
      const shown = ({ code, stdout, stderr }: typeof own) => `${String(code)}\n${stdout.toString()}\n${stderr}`.replaceAll(file, 'FILE');
      const text = shown(theirs).replaceAll(fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url)), 'FILE');
      expect(shown(own).replaceAll(/node \S+\.m?js/g, 'platen')).toBe(text.replaceAll(/node \S+\.m?js/g, 'platen'));
    }
  }, 120_000);

  it.each([
    ['png', (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG'],
    ['pdf', (bytes: Buffer) => bytes.toString('latin1').startsWith('%PDF-')],
    // These two run in threads.
    ['md', (bytes: Buffer) => bytes.toString() === '# Hello\n'],
    ['txt', (bytes: Buffer) => bytes.toString() === 'Hello\n'],
    // These two import packages beside the bundle.
    ['webp', (bytes: Buffer) => bytes.subarray(8, 12).toString() === 'WEBP'],
    ['wacz', (bytes: Buffer) => bytes.subarray(0, 2).toString() === 'PK'],
  ])(
    'renders %s',
    async (extension, isRight) => {
      await using site = await openSite({ '/': { headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' } });
      const out = join(folder, `a.${extension}`);
      expect(await runCli([site.url('/'), out], { file })).toMatchObject({ code: 0 });
      expect(isRight(await readFile(out))).toBe(true);
    },
    120_000,
  );

  it('reads a config file from a pipe once', async () => {
    const args = ['data:text/html,<p>Hello', '-', '--output-type', 'txt', '--config', '/dev/stdin'];
    expect(await runCli(args, { file, cwd: folder, input: '{"block-private-ips": true}' })).toMatchObject({ code: 0 });
    const more = [...args, '--log-level', 'error'];
    expect(await runCli(more, { file, cwd: folder, input: '{"block-private-ips": true}' })).toMatchObject({ code: 0 });
  }, 60_000);

  it('serves its own pages', async () => {
    await using server = await startServer(['--server-enable-docs'], { file });
    const page = await fetch(new URL('/docs', server.url));
    expect(page.status).toBe(200);
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(new URL(script, page.url))).status).toBe(200);
  }, 120_000);

  it('shares its kernel with a plugin from elsewhere that has no kernel of its own', async () => {
    await cp(join(ROOT, 'plugin-template'), join(folder, 'ppm'), { recursive: true });
    await using site = await openSite({ '/': { headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' } });
    const args = [site.url('/'), 'a.ppm', '--plugin', './ppm'];
    expect(await runCli(args, { file, cwd: folder })).toMatchObject({ code: 0 });
    expect((await readFile(join(folder, 'a.ppm'))).subarray(0, 2).toString()).toBe('P6');
  }, 120_000);
});
