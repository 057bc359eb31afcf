import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../helpers/site.js';
import { until } from '../../helpers/until.js';
import { callCli } from '../../helpers/call-cli.js';
import { runCli, startServer } from '../../helpers/run-cli.js';

/** The server's own temporary folder, so that what it leaves behind is seen. */
let temporary: string;
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await chmod(temporary, 0o1777);
});
afterEach(() => rm(temporary, { recursive: true }));

const env = () => ({ env: { TMPDIR: temporary } });

function isRunning(pid: unknown): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** A page that is answered when the test says so. */
async function openHeldSite() {
  let asked = () => {};
  let answer = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const site = await openSite({
    '/': async () => {
      asked();
      await mayAnswer;
      return '<h1>At last</h1>';
    },
  });
  return {
    site,
    wasAsked,
    answer() {
      answer();
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

describe('platen --server', () => {
  it('F11: renders over HTTP, and SIGTERM ends it with 0: no browser and no file is left', async () => {
    await using site = await openSite({ '/': '<h1>Hello</h1>' });
    await using server = await startServer([], env());
    const response = await fetch(`${server.url}/?url=${encodeURIComponent(site.url('/'))}`);
    expect(response.status).toBe(200);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const { pid } = await server.line('browser started');
    expect(isRunning(pid)).toBe(true);
    expect(await server.line('rendered')).toMatchObject({ endpoint: 'GET /', status: 200, output: 'png' });
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(isRunning(pid)).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('F11: SIGKILL leaves no browser, and the next start removes the folders', async () => {
    await using killed = await startServer([], env());
    const { pid } = await killed.line('browser started');
    killed.signal('SIGKILL');
    await killed.exited;
    await until(() => !isRunning(pid));
    expect(await readdir(temporary)).not.toEqual([]);
    await using next = await startServer([], env());
    await next.line('browser started');
    next.signal('SIGTERM');
    await next.exited;
    expect(await readdir(temporary)).toEqual([]);
  });

  it('F11: SIGTERM lets a render in progress finish', async () => {
    await using held = await openHeldSite();
    const { site, wasAsked, answer } = held;
    await using server = await startServer([], env());
    const rendering = fetch(`${server.url}/?url=${encodeURIComponent(site.url('/'))}`);
    await wasAsked;
    server.signal('SIGTERM');
    await server.line('stopping: running renders may finish, a second signal ends them');
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ status: 'draining', in_flight: 1 });
    answer();
    expect((await rendering).status).toBe(200);
    expect(await server.exited).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('F11: a render past the grace period is answered with 503', async () => {
    await using held = await openHeldSite();
    const { site, wasAsked } = held;
    await using server = await startServer(['--server-grace-period', '0'], env());
    const rendering = fetch(`${server.url}/?url=${encodeURIComponent(site.url('/'))}`);
    await wasAsked;
    server.signal('SIGINT');
    const response = await rendering;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'draining' });
    expect(await server.exited).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('F11: a second signal ends at once, and leaves nothing either', async () => {
    await using held = await openHeldSite();
    const { site, wasAsked } = held;
    await using server = await startServer([], env());
    const rendering = fetch(`${server.url}/?url=${encodeURIComponent(site.url('/'))}`).catch(() => undefined);
    await wasAsked;
    const { pid } = await server.line('browser started');
    server.signal('SIGTERM');
    await server.line('stopping: running renders may finish, a second signal ends them');
    server.signal('SIGTERM');
    expect(await server.exited).toBe(143);
    await rendering;
    expect(isRunning(pid)).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('F11: SIGTERM while the browser starts ends it as well', async () => {
    await using server = await startServer(['--server-grace-period', '0'], env());
    const rendering = fetch(`${server.url}/?url=data:text/html,x`).catch(() => undefined);
    for (let inFlight = 0; inFlight === 0;) inFlight = (await (await fetch(`${server.url}/status`)).json()).in_flight;
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    await rendering;
    expect(await readdir(temporary)).toEqual([]);
  });

  it('warns when others can reach it and credentials are unencrypted', async () => {
    await using server = await startServer(['--server-bind-address', '0.0.0.0', '--plugins', 'auth-token,png'], {
      env: { PLATEN_SERVER_TOKEN_AUTH: 'abc' },
    });
    const warnings = server.lines.filter(({ level }) => level === 'warn').map(({ msg }) => String(msg));
    expect(warnings).toEqual([expect.stringContaining('unencrypted')]);
  });

  it('warns when others can reach it without credentials', async () => {
    await using server = await startServer(['--server-bind-address', '0.0.0.0'], env());
    expect(server.lines.some(({ level, msg }) => level === 'warn' && String(msg).includes('other machines can reach this server'))).toBe(
      true,
    );
  });

  it.each([
    ['by its file', {}, /^node \S*server\/dist\/cli\.js$/],
    ['npm start', { npm_lifecycle_event: 'start' }, /^npm start --$/],
  ])('a port that is taken ends with 1 and a command that works: %s', async (_, environment, program) => {
    await using server = await startServer([], env());
    const port = new URL(server.url).port;
    const { code, stderr } = await runCli(['--server', '--server-bind-port', port], { env: environment });
    expect(code).toBe(1);
    expect(stderr).toContain(`platen: cannot listen on 127.0.0.1 port ${port}: it is in use`);
    const [, said = '', flags = ''] = /\n {2}`(.*?) (--server-bind-port 0)` uses a free port\n$/.exec(stderr) ?? [];
    expect(said).toMatch(program);
    await using other = await startServer(flags.split(' ').slice(2), { ...env(), asked: [] });
    expect(other.url).not.toBe(server.url);
  });

  it('flags without a URL mean the server', async () => {
    await using server = await startServer(['--log-level', 'info'], { ...env(), asked: [] });
    expect((await fetch(`${server.url}/status`)).status).toBe(200);
    const { stdout } = await callCli(['config', '--server-bind-port', '0', '--json']);
    expect(JSON.parse(String(stdout))).toMatchObject({ server: { value: true } });
  });

  it.each([
    [['--full-page'], '--full-page is a request key', 'to render one page: platen URL [FILE] --full-page'],
    [['--server-bind-port', '0', '--device', 'iPhone 15'], '--device is a request key', 'platen URL [FILE] --device'],
    [['--url', 'http://a.test'], '--url is a request key', 'to render one page: platen URL [FILE]\n'],
    [['--no-server', '--log-level', 'info'], 'a URL is missing', 'platen --help'],
  ])('what is missing of %j is said', async (args, message, hint) => {
    const { code, stderr } = await callCli(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it('takes its flags from the environment and the config file', async () => {
    const alone = await callCli([], { env: { PLATEN_SERVER_BIND_PORT: 'x', PLATEN_SERVER: 'true' } });
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/--server-bind-port must be/) as unknown });
    const refused = await callCli(['--server'], { env: { PLATEN_SERVER_BIND_PORT: 'x' } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/--server-bind-port must be/);
  });
});
