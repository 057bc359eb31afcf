import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startServer, type RunningServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';

/** Says in its title how deep the values lie that it has, having stored them where there were none. */
const PAGE = (plain: number, encoded: number) => `<!doctype html><title>...</title><script>(async () => {
  const answer = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const open = indexedDB.open('deep');
  open.onupgradeneeded = () => open.result.createObjectStore('all');
  const db = await answer(open);
  const wrap = (levels, inner) => { let value = inner; for (let at = 0; at < levels; at++) value = { constructor: value, prototype: at }; return value; };
  const depth = (value) => { let levels = 0; for (; value !== undefined && value.constructor instanceof Object && Object.hasOwn(value, 'constructor'); value = value.constructor) levels++; return levels; };
  if (location.search === '?make') {
    const store = db.transaction('all', 'readwrite').objectStore('all');
    store.put(wrap(${plain}, {}), 'plain'); store.put(wrap(${encoded}, new Date(0)), 'encoded');
    await new Promise((done) => { store.transaction.oncomplete = done; });
  }
  const read = db.transaction('all').objectStore('all');
  document.title = depth(await answer(read.get('plain'))) + ' ' + depth(await answer(read.get('encoded')));
  document.body.append(Object.assign(document.createElement('p'), { id: 'done' }));
})()</script><body>`;

/** The deepest that are kept, and one level more. */
const DEEPEST = { plain: 990, encoded: 329 };

let site: Site;
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  site = await openSite({
    '/deepest': PAGE(DEEPEST.plain, DEEPEST.encoded),
    '/deeper-plain': PAGE(DEEPEST.plain + 1, 1),
    '/deeper-encoded': PAGE(1, DEEPEST.encoded + 1),
  });
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'platen-deepest-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function render(
  path: string,
  with_storage: unknown,
): Promise<{ readonly page: string; readonly partial: string; readonly state: unknown }> {
  const answer = await fetch(`${server.url}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.url(path), output_type: 'html', wait_for: 'css:#done', with_storage }),
  });
  const page = await answer.text();
  if (!answer.ok) throw new Error(page);
  const link = /<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
  const state: unknown = await (await fetch(new URL(link, server.url))).json();
  return { page, partial: answer.headers.get('x-missing-assets') ?? '', state };
}

const titleOf = (page: string): string | undefined => /<title>(.*?)<\/title>/.exec(page)?.[1];

it('what is returned without a word of what is missing is taken back, over HTTP and as a file, however deep', async () => {
  const made = await render('/deepest?make', true);
  const title = `${String(DEEPEST.plain)} ${String(DEEPEST.encoded)}`;
  expect([titleOf(made.page), made.partial]).toEqual([title, '']);
  const read = await render('/deepest', made.state);
  expect(titleOf(read.page)).toBe(title);
  expect(read.state).toEqual(made.state);
  const page = join(folder, 'page.html');
  const given = JSON.stringify(made.state);
  const { code, stderr } = await runCli([site.url('/deepest'), page, '--wait-for', 'css:#done', '--with-storage', given]);
  expect([code, stderr.includes('missing')]).toEqual([0, false]);
  expect(titleOf(await readFile(page, 'utf8'))).toBe(title);
}, 60_000);

it.each(['/deeper-plain?make', '/deeper-encoded?make'])(
  'what is deeper is named: %s',
  async (path) => {
    const { partial } = await render(path, true);
    expect(partial).toMatch(/storage;partial;reason=.*a record of IndexedDB: a value that is nested too deeply/);
  },
  30_000,
);
