import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from '../../../helpers/call-cli.js';
import { startServer } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adblock-server-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('a server counts what it blocks in its diagnostics, and nowhere else; a hangup signal reads the lists again', async () => {
  const list = join(folder, 'list.txt');
  await writeFile(list, '||ads.localhost^\n||bad$nonsense\n');
  await using site = await openSite({ '/': '<img src=//ads.localhost/x.png><img src=//ads.localhost/y.png>' });
  await using server = await startServer(['--adblock-rules', list], { env: { XDG_CACHE_HOME: folder } });
  const ask = (params: Record<string, string>) => fetch(`${server.url}/?${new URLSearchParams(params).toString()}`);
  expect((await ask({ url: site.url('/') })).status).toBe(200);
  expect(await (await ask({ url: site.url('/'), diagnostics: 'true' })).json()).toMatchObject({
    adblock: { lists: 1, rules: 1, skipped_lines: 1, blocked: 2, replaced: 0, rewritten: 0 },
  });
  expect(await (await fetch(`${server.url}/status`)).json()).not.toHaveProperty('adblock');

  await writeFile(list, '||127.0.0.1^\n');
  const reloaded = nextLoad(server.lines);
  server.signal('SIGHUP');
  await reloaded;
  const refused = await ask({ url: site.url('/') });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'target_blocked', detail: expect.stringContaining('"||127.0.0.1^"') });
});

it('a cache keeps what other rules gave for those rules, also where they change by themselves', async () => {
  const list = join(folder, 'changing.txt');
  await writeFile(list, '||ads.localhost^\n');
  await using site = await openSite({ '/': '<p>text' });
  await using server = await startServer(
    ['--adblock-rules', list, '--server-update-adblock-interval', '1', '--server-cache', join(folder, 'renders')],
    { env: { XDG_CACHE_HOME: folder } },
  );
  const ask = async () =>
    (await fetch(`${server.url}/?${new URLSearchParams({ url: site.url('/') }).toString()}`)).headers.get('cache-status');
  expect(await ask()).toBe('platen; fwd=uri-miss; stored');
  expect(await ask()).toContain('hit');
  const reloaded = nextLoad(server.lines);
  await writeFile(list, '||more.localhost^\n');
  await reloaded;
  expect(await ask()).toContain('fwd=uri-miss');
});

it('rules that come where there were none take a restart, which the log says', async () => {
  const [list, config] = [join(folder, 'later.txt'), join(folder, 'platen.json')];
  await writeFile(list, '||ads.localhost^\n');
  await writeFile(config, '{}');
  await using server = await startServer(['--config', config], { env: { XDG_CACHE_HOME: folder } });
  await writeFile(config, JSON.stringify({ 'adblock-rules': [list] }));
  server.signal('SIGHUP');
  expect(await server.line('changed flags take effect after a restart')).toMatchObject({ level: 'warn', flags: ['adblock-rules'] });
});

it('an unavailable source ends the start with its name, of a server and of a single capture', async () => {
  const missing = join(folder, 'missing.txt');
  await expect(startServer(['--adblock-rules', missing])).rejects.toThrow(missing);
  const { code, stderr } = await callCli(['data:text/html,x', join(folder, 'x.png'), '--adblock-rules', missing]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(missing);
});

/** Resolves when the lists are loaded once more. */
function nextLoad(lines: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const count = () => lines.filter(({ msg }) => msg === 'the adblock rules are loaded').length;
  const before = count();
  return until(() => count() > before);
}
