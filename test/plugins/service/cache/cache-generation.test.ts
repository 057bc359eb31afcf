import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import authToken from '@platen/plugin-auth-token';
import egress from '@platen/plugin-egress';
import license from '@platen/plugin-license';
import type {} from '@platen/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIssuer } from '../license/issuer.js';
import { closeAll, closeNow, makeFolder, openCached, picture, type CachedServer } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';
const TOKEN = { 'server-token-auth': ['former'] };

async function ask(server: CachedServer, token = 'former'): Promise<string> {
  const answer = await server.get(PAGE, { headers: { authorization: `Bearer ${token}` } });
  return answer.status === 200
    ? `${String(answer.headers.get('cache-status')?.split(';')[1]).trim()}: ${await answer.text()}`
    : String(answer.status);
}

describe('a reload that one plugin refuses', () => {
  it.each([
    ['a blocklist that is missing', { 'ip-blocklist': ['/missing/list'] }, '/missing/list'],
    ['an exception that is no range', { 'allow-ip-range': ['nonsense'] }, '--allow-ip-range "nonsense"'],
    ['a licence that is garbage', { 'license-key': 'garbage' }, '--license-key is not valid'],
  ])('for %s changes nothing of any: tokens, rules and the place of kept results stay', async (_, wrong, reason) => {
    const issuer = createIssuer();
    const flags = { ...TOKEN, 'license-public-key': issuer.pem, 'license-key': issuer.issue({ tier: 'enterprise' }) };
    // The one who refuses stands behind the others, and before them.
    for (const plugins of [
      [authToken, egress, license],
      [egress, license, authToken],
    ]) {
      const server = await openCached({ plugins, flags });
      expect(await ask(server)).toBe('fwd=uri-miss: picture 1');
      const next = { ...server.flags, 'server-token-auth': ['latter'], 'block-private-ips': true, ...wrong };
      await expect(server.server.reload(next)).rejects.toThrow(reason);
      expect([await ask(server), await ask(server, 'latter')]).toEqual(['hit: picture 1', '401']);
    }
  });
});

it('a browser that is started of another file parts what was rendered before from what is rendered after', async () => {
  const server = await openCached();
  const status = vi.spyOn(server.kernel, 'status');
  const started = new Map<string, string>();
  status.mockReturnValue({ ...server.kernel.status(), started });
  expect([await ask(server), await ask(server)]).toEqual(['fwd=uri-miss: picture 1', 'hit: picture 1']);
  started.set('/opt/browser', 'former');
  expect([await ask(server), await ask(server)]).toEqual(['fwd=uri-miss: picture 2', 'hit: picture 2']);
  started.set('/opt/browser', 'latter');
  expect(await ask(server)).toBe('fwd=uri-miss: picture 3');
});

describe('what was read again', () => {
  it('parts what was rendered before from what is rendered after, and joins it with what was under the same', async () => {
    const folder = await makeFolder();
    const list = join(folder, 'list');
    await writeFile(list, '192.0.2.1\n');
    const flags = { ...TOKEN, 'ip-blocklist': [list] };
    const server = await openCached({ plugins: [authToken, egress], flags });
    await server.server.reload(flags);
    expect([await ask(server), await ask(server)]).toEqual(['fwd=uri-miss: picture 1', 'hit: picture 1']);
    await server.kept(1);
    await writeFile(list, '192.0.2.2\n');
    await server.server.reload(flags);
    expect(await ask(server)).toBe('fwd=uri-miss: picture 2');
    await writeFile(list, '192.0.2.1\n');
    await server.server.reload(flags);
    expect(await ask(server)).toBe('hit: picture 1');
    await rm(list);
  });

  it('counts only where it is in force: a flag that takes a restart keeps its former value until then', async () => {
    const folder = await makeFolder();
    const flagged = definePlugin({
      name: 'flagged',
      flags: {
        soon: { type: 'string', description: 'Taken over.', 'x-reloads': true },
        late: { type: 'string', description: 'Read at the start.' },
      },
      serve({ hooks }) {
        hooks.reload.tap('flagged', () => undefined);
      },
    });
    const former = { soon: 'a', late: 'a' };
    const server = await openCached({ folder, plugins: [flagged], flags: former });
    await server.get(PAGE);
    await server.kept(1);
    await server.server.reload({ ...server.flags, late: 'b' });
    expect((await server.get(PAGE)).headers.get('cache-status')).toContain('hit');
    await server.server.reload({ ...server.flags, soon: 'b', late: 'b' });
    expect((await server.get(PAGE)).headers.get('cache-status')).toContain('miss');
    await server.kept(2);
    await closeNow(server);
    const restarted = await openCached({ folder, plugins: [flagged], flags: { soon: 'a', late: 'b' } });
    expect((await restarted.get(PAGE)).headers.get('cache-status')).toContain('miss');
  });
});

describe('a browser whose file is replaced while the former one runs', () => {
  it('counts from the next start on, whatever is reloaded', async () => {
    const [folder, programs] = [await makeFolder(), await makeFolder()];
    const path = join(programs, 'chrome');
    await writeFile(path, 'the former', { mode: 0o755 });
    const flags = { 'browser-path': path };
    const server = await openCached({ folder, flags });
    expect(await ask(server)).toBe('fwd=uri-miss: picture 1');
    await server.kept(1);
    await writeFile(path, 'another, of another size', { mode: 0o755 });
    await server.server.reload(server.flags);
    expect(await ask(server)).toBe('hit: picture 1');
    await closeNow(server);
    expect(await ask(await openCached({ folder, flags }))).toBe('fwd=uri-miss: picture 1');
  });
});

describe('a render in progress while new values take effect', () => {
  it('is sent and not stored: neither under the former nor under the new ones', async () => {
    const begun = new AbortController();
    const going = new AbortController();
    let count = 0;
    const server = await openCached({
      plugins: [egress],
      async render(plan, options) {
        count += 1;
        if (count > 1) return await picture(count)(plan, options);
        begun.abort();
        await aborted(going.signal);
        return await picture(1)(plan, options);
      },
    });
    const first = server.get(PAGE);
    await aborted(begun.signal);
    await server.server.reload({ ...server.flags, 'block-private-ips': true });
    // Who comes now does not share it.
    const second = await server.get(PAGE);
    expect([await second.text(), second.headers.get('cache-status')]).toEqual(['picture 2', 'platen; fwd=uri-miss; stored']);
    going.abort();
    const answer = await first;
    expect([await answer.text(), answer.headers.get('cache-status')]).toEqual(['picture 1', 'platen; fwd=uri-miss']);
    expect(await (await server.get(PAGE)).text()).toBe('picture 2');
    // Back again, and nothing is there from before.
    await server.server.reload(server.flags);
    expect(await (await server.get(PAGE)).text()).toBe('picture 3');
  });
});

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
