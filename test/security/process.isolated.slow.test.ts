import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { until } from '../helpers/until.js';
import { listDescendants } from './process-tree.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-test-'));
  // The browser runs as somebody else where Platen is root.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true }));

const start = (...flags: readonly string[]) => startServer(flags, { env: { TMPDIR: folder } });
const render = async ({ url }: RunningServer) => (await fetch(`${url}/?url=data:text/html,x&browser_width=100`)).status;
const profiles = async () => (await readdir(folder)).filter((name) => name.startsWith('platen-'));
const isGone = (pid: number) =>
  readFile(`/proc/${String(pid)}/stat`, 'utf8').then(
    // Dead and not yet collected by whoever inherited it.
    (text) => text.slice(text.lastIndexOf(')') + 2).startsWith('Z'),
    () => true,
  );

it('a server that is killed takes its browser with it, and the next one removes what it left', async () => {
  {
    await using server = await start();
    expect(await render(server)).toBe(200);
    const children = (await listDescendants(server.pid)).filter((pid) => pid !== server.pid);
    expect(children.length).toBeGreaterThan(2);
    const [profile = ''] = await profiles();
    expect(((await stat(join(folder, profile))).mode & 0o777).toString(8)).toBe('700');
    server.signal('SIGKILL');
    await server.exited;
    await until(async () => (await Promise.all(children.map(isGone))).every(Boolean));
    expect(await profiles()).toEqual([profile]);
  }
  await using next = await start();
  expect(await render(next)).toBe(200);
  const now = await profiles();
  expect(now).toEqual([expect.stringMatching(`^platen-${String(next.pid)}-`)]);
  next.signal('SIGTERM');
  expect(await next.exited).toBe(0);
  expect(await profiles()).toEqual([]);
});

it('the sandbox is given up only by an explicit flag, and the log warns of it', async () => {
  const commandLines = async ({ pid }: RunningServer) =>
    (await Promise.all((await listDescendants(pid)).map((each) => readFile(`/proc/${String(each)}/cmdline`, 'utf8').catch(() => '')))).join(
      '\n',
    );
  const warning = 'the browser runs without its sandbox: render only pages that you trust';
  await using plain = await start();
  expect(await render(plain)).toBe(200);
  expect(await commandLines(plain)).not.toContain('--no-sandbox');
  expect(plain.lines.filter(({ msg }) => msg === warning)).toEqual([]);
  await using unsafe = await start('--browser-no-sandbox');
  expect(await render(unsafe)).toBe(200);
  expect(await commandLines(unsafe)).toContain('--no-sandbox');
  expect(await unsafe.line(warning)).toMatchObject({ level: expect.anything() as unknown });
});
