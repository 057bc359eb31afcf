import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import exchanges from '../../plugins/capture/network/src/index.js';
import har from '../../plugins/output/har/src/index.js';
import markdown from '../../plugins/output/markdown/src/index.js';
import mhtml from '../../plugins/output/mhtml/src/index.js';
import pprof from '../../plugins/output/pprof/src/index.js';
import txt from '../../plugins/output/txt/src/index.js';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { browserProcesses, isRenderer } from '../kernel/browser/processes.js';
import { type Host, openHost } from './open-host.js';

const HOPS = 12;
const page = (title: string, script: string) => `<!doctype html><title>${title}</title><h1>${title}</h1><script>${script}</script>`;
const onLoad = (script: string) => `addEventListener('load', () => { ${script} })`;
const seen = ({ url = '' }: { readonly url?: string | undefined }, name: string) =>
  Number(new URL(url, 'http://site').searchParams.get(name) ?? 0);

let site: Site;
let host: Host;
let silent: number;

beforeAll(async () => {
  silent = 0;
  site = await openSite({
    '/hops': (request) => {
      const hop = seen(request, 'hop');
      return hop < HOPS ? page('hop', `setTimeout(() => { location = '/hops?hop=${String(hop + 1)}' }, 1)`) : page('rest', '');
    },
    '/rest': page('rest', ''),
    // Once the browser has been asked for its picture, which it takes with the next frame.
    '/leaves': page('first', onLoad(`requestAnimationFrame(() => { location = '/rest' })`)),
    '/restless': page('restless', onLoad('location.reload()')),
    // Commands that need the renderer are not carried out meanwhile.
    '/sets-out': page('here', onLoad(`location.replace('/silent')`)),
    '/rootless': page('gone', 'document.documentElement.remove()'),
    '/stops-parsing': '<!doctype html><title>stopped</title><h1>stopped</h1><img src="/silent"><script>window.stop()</script>',
    '/stops-loading':
      page('stopped', `addEventListener('DOMContentLoaded', () => setTimeout(() => window.stop()))`) + '<img src="/silent">',
    '/silent': () => void (silent += 1),
  });
  host = await openHost({}, [txt, markdown, mhtml, exchanges, har, pprof]);
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

afterEach(() => host.expectWell());

/** What each type shows of a page, read by others' programs where it is no text. */
const READERS: Readonly<Record<string, (body: Buffer) => unknown>> = {
  png: (body) => body,
  html: (body) => /<h1>(.*)<\/h1>/.exec(body.toString())?.[1],
  markdown: (body) => /# (.*)/.exec(body.toString())?.[1],
  txt: (body) => body.toString().trim(),
  pdf: (body) => execFileSync('pdftotext', ['-', '-'], { input: body }).toString().trim(),
  mhtml: (body) => /^Subject: (.*)\r$/m.exec(body.toString())?.[1],
};

describe('a page that goes on to another document while it is captured', () => {
  test.each(Object.entries(READERS))('%s is that of the document on which it stays', async (output_type, read) => {
    const direct = await host.render({ url: site.url('/rest'), output_type });
    const redirected = await host.render({ url: site.url('/hops'), output_type });
    expect(redirected).toMatchObject({ status: 200 });
    expect(read(redirected.body)).toEqual(read(direct.body));
  });

  test('a screenshot that the browser no longer answers is taken anew', async () => {
    const direct = await host.render({ url: site.url('/rest') });
    const redirected = await host.render({ url: site.url('/leaves') });
    expect(redirected.body.equals(direct.body)).toBe(true);
  });

  test('"full_page" and "javascript" do their part once', async () => {
    const answer = await host.render({
      url: site.url('/rest'),
      full_page: true,
      javascript: `location.href = '/hops?hop=${String(HOPS - 2)}&by=script'`,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(site.requests.filter(({ url }) => url.endsWith('&by=script'))).toHaveLength(1);
  });

  test.each(['png', 'txt'])('one that sets out for where nothing answers is captured as it is (%s)', async (output_type) => {
    const answer = await host.render({ url: site.url('/sets-out'), output_type, timeout: 20 });
    expect(answer).toMatchObject({ status: 200 });
    if (output_type === 'txt') expect(answer.body.toString()).toContain('here');
  });

  test.each(['png', 'html', 'pdf'])('one that never stays is a 422 page_unstable (%s)', async (output_type) => {
    const answer = await host.render({ url: site.url('/restless'), output_type });
    expect(answer.problem).toMatchObject({ status: 422, code: 'page_unstable' });
  });

  test('recordings go on over all its documents', async () => {
    const answer = await host.render({ url: site.url('/leaves'), output_type: 'har', wait_for: '0.5' });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body.toString()).toContain(site.url('/rest'));
  });
});

test.each(Object.keys(READERS))('a document without a root element makes no plugin fail (%s)', async (output_type) => {
  const { status, problem } = await host.render({ url: site.url('/rootless'), output_type });
  expect(status === 200 ? undefined : problem?.['code']).toBe(status === 200 ? undefined : 'page_unreadable');
});

test.each(['/stops-parsing', '/stops-loading'])('a document that window.stop() has ended counts as loaded (%s)', async (path) => {
  const answer = await host.render({ url: site.url(path), output_type: 'txt', wait_for: 'load' });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body.toString()).toContain('stopped');
});

test('a renderer that is killed while it navigates is page_crashed', async () => {
  const before = silent;
  const answer = host.render({ url: site.url('/silent') });
  await until(() => silent > before);
  for (const { pid } of (await browserProcesses()).filter(isRenderer)) process.kill(pid, 'SIGKILL');
  expect((await answer).problem).toMatchObject({ status: 502, code: 'page_crashed' });
});
