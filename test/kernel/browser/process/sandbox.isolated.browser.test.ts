import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createPrivateFolder, isReachable, sweepPrivateFolders } from '../../../../kernel/src/browser/process/private-folder.js';
import { until } from '../../../helpers/until.js';
import { resolveLaunchUser } from '../../../../kernel/src/browser/process/launch-user.js';
import { openSite } from '../../../helpers/site.js';
import { openPool } from '../open-pool.js';
import { browserProcesses, isBrowser, isRenderer, profileFolders } from '../processes.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };

describe('the browser process', () => {
  test.skipIf(!isRoot).each(['shell', 'full'] as const)(
    'runs as nobody, with the sandbox on, although Platen is root (%s)',
    async (variant) => {
      await using pool = openPool();
      await using lease = await pool.lease({ variant });
      await lease.tab.page.goto('data:text/html,<h1>in the sandbox</h1>');
      await lease.tab.page.screenshot({ format: 'png' });
      const all = await browserProcesses();
      expect(all.length).toBeGreaterThan(2);
      for (const { status } of all) {
        expect(status['Uid']).toBe('65534\t65534\t65534\t65534');
        expect(status['Gid']).toBe('65534\t65534\t65534\t65534');
        expect(status['Groups']).toBe('');
        expect(status['NoNewPrivs']).toBe('1');
      }
      // Its helpers have capabilities within user namespaces of their own; the browser has none.
      for (const { status } of all.filter(isBrowser)) expect(status['CapEff']).toBe('0000000000000000');
      const renderers = all.filter(isRenderer);
      expect(renderers.length).toBeGreaterThan(0);
      for (const { status } of renderers) expect(status['Seccomp']).toBe('2');
      expect(all.filter(({ command }) => command.includes('--no-sandbox'))).toEqual([]);
    },
  );

  test('knows nothing of the settings of the server, listens to no port, and shows no word of being headless', async () => {
    process.env['PLATEN_TEST_SECRET'] = 'canary';
    try {
      await using site = await openSite({ '/': 'x' });
      await using pool = openPool();
      await using lease = await pool.lease();
      await lease.tab.page.goto(site.url('/'));
      for (const { pid } of (await browserProcesses()).filter(isBrowser))
        expect(await readFile(`/proc/${String(pid)}/environ`, 'utf8')).not.toContain('canary');
      expect((await browserProcesses()).filter(({ command }) => command.includes('remote-debugging-port'))).toEqual([]);
      const seen = await lease.tab.page.evaluate(async () => {
        const hints = (navigator as unknown as { userAgentData?: { getHighEntropyValues(keys: string[]): Promise<unknown> } })
          .userAgentData;
        return JSON.stringify([navigator.userAgent, navigator.appVersion, await hints?.getHighEntropyValues(['fullVersionList'])]);
      });
      expect(seen).not.toMatch(/headless/i);
      expect(JSON.stringify(site.requests)).not.toMatch(/headless/i);
    } finally {
      delete process.env['PLATEN_TEST_SECRET'];
    }
  });

  test('has a private folder while it lives, and none afterwards', async () => {
    {
      await using pool = openPool();
      await using lease = await pool.lease();
      await lease.tab.page.goto('data:text/html,x');
      const folders = await profileFolders();
      expect(folders).toHaveLength(1);
      const { mode } = await stat(join(tmpdir(), folders[0] ?? ''));
      expect((mode & 0o777).toString(8)).toBe('700');
    }
    expect(await profileFolders()).toEqual([]);
  });

  test('runs without the sandbox only where that is asked for', async () => {
    await using pool = openPool({ noSandbox: true });
    await using lease = await pool.lease();
    await lease.tab.page.goto('data:text/html,x');
    expect((await browserProcesses()).some(({ command }) => command.includes('--no-sandbox'))).toBe(true);
  });

  test.each(['shell', 'full'] as const)('sends no UDP past the proxy (%s)', async (variant) => {
    let packets = 0;
    const stun = createSocket('udp4', () => {
      packets += 1;
    });
    stun.bind(0, '127.0.0.1');
    await once(stun, 'listening');
    try {
      await using site = await openSite({ '/': '<!doctype html>' });
      await using pool = openPool();
      await using lease = await pool.lease({ variant });
      await lease.tab.page.goto(site.url('/'));
      const server = `stun:127.0.0.1:${String(stun.address().port)}`;
      // Gathering ends by itself once every server was tried.
      const gathered = await lease.tab.page.evaluateInMainWorld(`new Promise((resolve) => {
        const candidates = [];
        const peer = new RTCPeerConnection({ iceServers: [{ urls: ${JSON.stringify(server)} }] });
        peer.onicecandidate = ({ candidate }) => candidate ? candidates.push(candidate.candidate) : resolve(candidates);
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      })`);
      expect(gathered).toEqual([]);
      expect(packets).toBe(0);
    } finally {
      stun.close();
    }
  });
});

describe('privileges', () => {
  test.skipIf(!isRoot)('are dropped where nobody can reach the browser, and an explicit word is needed where not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'closed-'));
    try {
      const closed = join(folder, 'chromium');
      await writeFile(closed, '', { mode: 0o755 });
      expect(await resolveLaunchUser('/bin/true', { noSandbox: false })).toMatchObject({ owner: NOBODY, sandbox: true });
      expect(await resolveLaunchUser('/bin/true', { noSandbox: true })).toMatchObject({ owner: NOBODY, sandbox: false });
      await expect(resolveLaunchUser(closed, { noSandbox: false })).rejects.toMatchObject({
        code: 'browser_unavailable',
        message: expect.stringContaining('--browser-no-sandbox') as string,
      });
      expect(await resolveLaunchUser(closed, { noSandbox: true })).toEqual({ prefix: [], owner: undefined, sandbox: false });
      await chmod(folder, 0o711);
      expect(await isReachable(closed, NOBODY)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('private folders', () => {
  test('of processes that are gone are swept, and nothing else', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sweep-'));
    try {
      const here = /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '';
      const kept = [
        `platen-1-${here}-alive1`,
        'platen-notes',
        `platen-999999999-${here}-a-b`,
        `platen-${String(process.pid)}-${here}-mine00`,
      ];
      const [fresh, old] = ['platen-999999999-1-fresh0', 'platen-999999999-1-old000'];
      kept.push(fresh, 'other');
      const swept = [`platen-999999999-${here}-aBcDeF`, old];
      for (const name of [...kept, ...swept]) await mkdir(join(parent, name));
      await writeFile(join(parent, swept[0] ?? '', 'Local State'), '{}');
      // Of another container, which shares the folder: its numbers say nothing here.
      const daysAgo = new Date(Date.now() - 2 * 86_400_000);
      await utimes(join(parent, old), daysAgo, daysAgo);
      const link = `platen-999999998-${here}-linkkk`;
      await symlink(parent, join(parent, link));
      await sweepPrivateFolders(parent);
      const left = await Promise.all(
        [...kept, ...swept, link].map(async (name) => (await stat(join(parent, name)).catch(() => undefined)) && name),
      );
      expect(left).toEqual([...kept, undefined, undefined, link]);
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  test('in use do not look abandoned to other containers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const folder = await createPrivateFolder(undefined);
    try {
      const daysAgo = new Date(Date.now() - 2 * 86_400_000);
      await utimes(folder.path, daysAgo, daysAgo);
      vi.advanceTimersByTime(3_600_000);
      await until(async () => (await stat(folder.path)).mtimeMs > Date.now() - 60_000);
      await folder.remove();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('belong to the user that is named', async () => {
    const folder = await createPrivateFolder(isRoot ? NOBODY : undefined);
    const { uid, mode } = await stat(folder.path);
    expect([uid, (mode & 0o777).toString(8)]).toEqual([isRoot ? NOBODY.uid : process.getuid?.(), '700']);
    await folder.remove();
    await expect(stat(folder.path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
