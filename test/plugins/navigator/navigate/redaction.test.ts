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

const html = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The forms in which the server echoes it. */
const FORMS: Readonly<Record<string, string>> = {
  raw: SECRET,
  url: encodeURIComponent(SECRET),
  html: html(SECRET),
  json: JSON.stringify(SECRET).slice(1, -1),
  base64: Buffer.from(SECRET).toString('base64'),
};
const FORM_URL = new URLSearchParams({ '': SECRET }).toString().slice(1);

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
        body: `<title>${html(user)}</title><h1>${html(user)}</h1><p>${html(json)}</p><p>${base64}</p><p>${html(encodeURIComponent(user))}</p>
          <a href="/me?user=${encodeURIComponent(user)}" title="${html(user).replace(/"/g, '&quot;')}">Me</a><p>${html(html(user))}</p>
          <label>Name <input value="${html(user).replace(/"/g, '&quot;')}"></label>
          <script type="text/plain">${user}</script>
          <script>const user = ${json};
            const posted = fetch('/echo', { method: 'POST', body: JSON.stringify({ user }) }).then((echo) => echo.text());
            posted.then((echo) => performance.mark(echo)).then(() => { document.body.append('echoed'); });</script>`,
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
  const result = await host.navigate([fill, () => [done()]], { url: site.url('/'), wait_for: 'text:echoed', ...credentials, ...params });
  expect(result.error).toBeUndefined();
  return result;
}

/** All texts of a file: what is compressed or encoded in it, too. */
async function textsOf(name: string, bytes: Buffer): Promise<string> {
  // Checks every length and digest.
  if (name === 'warc') await readRecords(bytes);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  return plain.toString();
}

const formsIn = (written: string): readonly string[] =>
  Object.entries({ ...FORMS, form: FORM_URL, jsonInJson: JSON.stringify(FORMS['json']).slice(1, -1) }).flatMap(([name, form]) =>
    written.includes(form) ? [name] : [],
  );

describe('what the navigator filled in', () => {
  it('stands in no asset', async () => {
    const [credential, literal] = [await signIn('credential', ASSETS), await signIn('literal', ASSETS)];
    const found: Record<string, readonly string[]> = {};
    for (const [name, bytes] of Object.entries(credential.assets)) found[name] = formsIn(await textsOf(name, bytes));
    const control: Record<string, readonly string[]> = {};
    for (const [name, bytes] of Object.entries(literal.assets)) control[name] = formsIn(await textsOf(name, bytes));
    console.log(control);
    expect(found).toEqual(Object.fromEntries(Object.keys(control).map((name) => [name, []])));
  });
  it.each(['html', 'txt', 'markdown', 'axtree', 'axtree_json', 'har', 'warc'])('stands not in output_type=%s', async (type) => {
    const [credential, literal] = [await signIn('credential', { output_type: type }), await signIn('literal', { output_type: type })];
    console.log(type, formsIn(await textsOf(type, literal.bytes)));
    expect(formsIn(await textsOf(type, credential.bytes))).toEqual([]);
    expect(await textsOf(type, credential.bytes)).toContain('***');
  });
});
