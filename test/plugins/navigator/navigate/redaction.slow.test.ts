import { gunzipSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import networkLog from '../../../../plugins/asset/network-log/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import markdown from '../../../../plugins/output/markdown/src/index.js';
import pprof from '../../../../plugins/output/pprof/src/index.js';
import trace from '../../../../plugins/output/trace/src/index.js';
import txt from '../../../../plugins/output/txt/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import { done, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { readRecords } from '../../lib/warc/archive-fixture.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

const SECRET = `p<a&"s's+/ w%ö`;

/** As a browser writes it. */
const urlOf = (value: string) => new URL(`http://x/?${encodeURIComponent(value)}`).search.slice(1);
const html = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The forms in which the server echoes it. */
const FORMS: Readonly<Record<string, string>> = {
  raw: SECRET,
  url: urlOf(SECRET),
  html: html(SECRET),
  json: JSON.stringify(SECRET).slice(1, -1),
  base64: Buffer.from(SECRET).toString('base64'),
  form: new URLSearchParams({ '': SECRET }).toString().slice(1),
};

let site: Site;
let host: NavigatorHost;
beforeAll(async () => {
  site = await openSite({
    '/': `<title>Login</title><form method="post" action="/login"><label>User <input name="user"></label><button>Sign in</button></form>`,
    '/login': async (request) => {
      const user = new URLSearchParams(await text(request)).get('user') ?? '';
      return { status: 303, headers: { location: `/home?user=${encodeURIComponent(user)}` } };
    },
    '/home': ({ url = '' }) => {
      const user = new URL(url, 'http://x').searchParams.get('user') ?? '';
      const [json, base64] = [JSON.stringify(user), Buffer.from(user).toString('base64')];
      return {
        headers: { 'x-user': base64, 'set-cookie': `user=${encodeURIComponent(user)}` },
        body: `<title>${html(user)}</title><h1>${html(user)}</h1><p>${html(json)}</p><p>${base64}</p><p>${html(urlOf(user))}</p>
          <a href="/me?user=${encodeURIComponent(user)}" title="${html(user).replace(/"/g, '&quot;')}">Me</a><p>${html(html(user))}</p>
          <p>${html(new URLSearchParams({ '': user }).toString())}</p>
          <label>Name <input value="${html(user).replace(/"/g, '&quot;')}"></label>
          <script type="text/plain">${user} ${json}</script>
          <script>for (const end = performance.now() + 50; performance.now() < end;);
            const user = ${json};
            const posted = fetch('/echo', { method: 'POST', body: JSON.stringify({ user }) }).then((echo) => echo.text());
            posted.then((echo) => performance.mark(echo)).then(() => { document.querySelector('h1').id = 'echoed'; });</script>`,
      };
    },
    '/echo': async (request) => ({
      headers: { 'content-type': 'text/plain' },
      body: `${await text(request)} ${Object.values(FORMS).join(' ')}`,
    }),
  });
  host = openNavigatorHost({}, [networkLog, walk, warc, trace, pprof, txt, markdown]);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const ASSETS = {
  ...{ with_har: true, har_capture_bodies: true, har_captures_navigation: true, with_warc: true, warc_captures_navigation: true },
  ...{ with_trace: true, trace_no_gzip: true, trace_captures_navigation: true, with_network_log: true, with_axtree: 'json' },
  ...{ with_pprof_cpu: true, pprof_no_gzip: true, pprof_captures_navigation: true },
};

/** Signs in with a value that the request passes as a credential, or that the model itself writes. */
async function signIn(as: 'credential' | 'literal', params: Readonly<Record<string, unknown>>) {
  const fill: Turn = ({ ref }) => [
    { kind: 'fill', ref: ref('textbox', 'User'), value: as === 'credential' ? 'credential:user' : SECRET },
    { kind: 'click', ref: ref('button', 'Sign in') },
  ];
  const credentials = as === 'credential' ? { navigator_credential: { user: SECRET } } : {};
  const result = await host.navigate([fill, () => [done()]], { url: site.url('/'), wait_for: 'css:#echoed', ...credentials, ...params });
  expect(result.error).toBeUndefined();
  return result;
}

/** All texts of a file, also those that are compressed, or encoded in its JSON. */
async function textsOf(name: string, bytes: Buffer): Promise<string> {
  // Checks every length and digest.
  if (name === 'warc') await readRecords(bytes);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const written = (isPacked ? gunzipSync(bytes) : bytes).toString();
  const texts = written.split('\n').flatMap((line) => (line.startsWith('{') ? stringsOf(line) : []));
  return [written, ...stringsOf(written), ...texts].join('\n');
}

function stringsOf(json: string): readonly string[] {
  const strings: string[] = [];
  const visit = (_name: string, value: unknown): unknown => {
    if (typeof value === 'string') strings.push(value, Buffer.from(value, 'base64').toString());
    return value;
  };
  try {
    JSON.parse(json, visit);
  } catch {
    return [];
  }
  return strings;
}

const formsIn = (written: string): readonly string[] =>
  Object.entries(FORMS).flatMap(([name, form]) => (written.includes(form) ? [name] : []));

async function formsInAssets(assets: Readonly<Record<string, Buffer>>): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = Object.entries(assets).map(async ([name, bytes]) => [name, formsIn(await textsOf(name, bytes))] as const);
  return Object.fromEntries(await Promise.all(found));
}

const ALL = Object.keys(FORMS);

describe('what the navigator filled in', () => {
  it('stands in no additional asset', async () => {
    const control = await formsInAssets((await signIn('literal', ASSETS)).assets);
    // Profiles and the log have no bodies of responses.
    const log = ['raw', 'url', 'json', 'base64', 'form'];
    expect(control).toEqual({ har: ALL, warc: ALL, network_log: log, trace: ALL, axtree: ALL, pprof_cpu: ['url'] });
    const { assets } = await signIn('credential', ASSETS);
    expect(await formsInAssets(assets)).toEqual(Object.fromEntries(Object.keys(control).map((name) => [name, []])));
    for (const [name, bytes] of Object.entries(assets)) expect(await textsOf(name, bytes), name).toContain('***');
  });

  it.each([
    ['html', ALL],
    ['txt', ALL],
    // The others are escaped.
    ['markdown', ['url', 'json', 'base64', 'form']],
    ['axtree', ['raw', 'url', 'json', 'base64', 'form']],
    ['axtree_json', ALL],
    ['har', ALL],
    ['warc', ALL],
  ])('stands not in output_type=%s', async (output_type, all) => {
    const { bytes: control } = await signIn('literal', { output_type });
    expect(formsIn(await textsOf(output_type, control))).toEqual(all);
    const { bytes } = await signIn('credential', { output_type });
    const written = await textsOf(output_type, bytes);
    expect(formsIn(written)).toEqual([]);
    expect(written).toContain('***');
  });
});
