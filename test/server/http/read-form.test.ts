import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import robots from '../../../plugins/page/robots/src/index.js';
import upload from '../../../plugins/page/upload/src/index.js';
import { openSocket, parseAnswer, sendRaw } from '../raw-http.js';
import { rendered, useServers } from '../test-server.js';

const start = useServers();
const plugins = [robots, upload];

/** A form that is written by hand. */
const formOf = (...parts: readonly (readonly [headers: string, body: string])[]) =>
  `${parts.map(([headers, body]) => `--x\r\n${headers}\r\n\r\n${body}\r\n`).join('')}--x--\r\n`;
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;

function post(port: number, body: string, headers = ''): ReturnType<typeof sendRaw> {
  const type = headers.includes('Content-Type') ? '' : 'Content-Type: multipart/form-data; boundary=x\r\n';
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${type}${headers}Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n`;
  return sendRaw(port, head, body);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a form', () => {
  it('renders as a JSON object does', async () => {
    const seen: unknown[] = [];
    const server = await start({
      plugins,
      render(plan, options) {
        seen.push(plan.params);
        return rendered(plan, options);
      },
    });
    const form = new FormData();
    form.append('full_page', 'true');
    form.append('cookie', 'a=b');
    form.append('navigator_data', '{"a":"b"}');
    form.append('upload', new File(['<p>'], 'index.html', { type: 'text/html' }));
    form.append('upload', new File(['p{}'], 'css/a.css'));
    const before = await readdir(tmpdir());
    expect((await fetch(server.url, { method: 'POST', body: form })).status).toBe(200);
    expect((await readdir(tmpdir())).filter((name) => !before.includes(name) && /^[a-z\d]{25}$/.test(name))).toEqual([]);
    expect(seen).toEqual([
      {
        ...{ url: 'https://upload.invalid/index.html', full_page: true, cookie: ['a=b'], navigator_data: { a: 'b' } },
        upload: { 'index.html': 'data:text/html;base64,PHA+', 'css/a.css': 'data:text/css;base64,cHt9' },
      },
    ]);
    form.append('nope', '1');
    const refused = await fetch(server.url, { method: 'POST', body: form });
    expect(await refused.json()).toMatchObject({ status: 400, errors: [{ parameter: 'nope' }] });
  });

  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['without a type, as some clients send files', formOf([named('html', '; filename="a.html"'), '<p>ä']), { html: '<p>ä' }],
    ['with a type, as some clients send text', formOf([`${named('html')}\r\nContent-Type: text/plain`, '<p>ä']), { html: '<p>ä' }],
    ['in base64', formOf([`${named('html')}\r\nContent-Transfer-Encoding: base64`, 'PHA+']), { html: '<p>' }],
    ['without content', formOf([named('html', '; filename="a.html"'), '']), { html: '' }],
    ['with a name in UTF-8', formOf([named('upload', '; filename="index.html"'), ''], [named('upload', '; filename="ü ö.css"'), '']), {}],
  ])('may have a part %s', async (_, body, params) => {
    let seen: unknown;
    const server = await start({
      plugins,
      render(plan, options) {
        seen = plan.params;
        return rendered(plan, options);
      },
    });
    expect(await post(server.port, body)).toMatchObject({ status: 200 });
    expect(seen).toMatchObject(params);
    if ('html' in params) return;
    expect(seen).toMatchObject({ upload: { 'index.html': 'data:text/html;base64,', 'ü ö.css': 'data:text/css;base64,' } });
  });

  it.each<[detail: string, status: number, body: string, headers?: string]>([
    ['unknown parameter \\"__proto__\\"', 400, formOf([named('__proto__'), '1'])],
    ['\\"html\\" is given twice', 400, formOf([named('html', '; filename="a"'), 'x'], [named('html'), 'y'])],
    ['\\"url\\" takes a single value (got 2)', 400, formOf([named('url'), 'x'], [named('url'), 'y'])],
    ['a part of the form has no name', 400, formOf(['Content-Disposition: form-data', 'x'])],
    ['not valid multipart/form-data', 400, 'url=http://a.test/'],
    ['not valid multipart/form-data', 400, formOf([named('url'), 'x']), 'Content-Type: multipart/form-data\r\n'],
    ['not valid multipart/form-data', 400, formOf([`${named('url')}\r\nContent-Transfer-Encoding: odd`, 'x'])],
    ['headers of more than 2048 bytes', 400, formOf([named('url', '; filename="'.repeat(200)), 'x'])],
    ['headers of more than 2048 bytes', 400, formOf([named('url', '; filename="'.repeat(100_000)), 'x'])],
    ['more than 5000 parts', 400, formOf(...Array.from({ length: 5001 }, () => [named('cookie'), 'a=b'] as const))],
    ['does not match its \\"Content-Encoding\\"', 400, 'x', 'Content-Encoding: gzip\r\n'],
    ['must be JSON', 415, 'url=x', 'Content-Type: application/x-www-form-urlencoded\r\n'],
  ])('is refused: %s', async (detail, status, body, headers) => {
    const server = await start({ plugins });
    const answer = await post(server.port, body, headers);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(detail)]);
    expect((await server.get('url=http://a.test/')).status).toBe(200);
  });

  it('is one of the places of parameters, not one beside the query', async () => {
    const server = await start({ plugins });
    const form = new FormData();
    form.append('url', 'http://a.test/');
    const answer = await fetch(`${server.url}/?full_page=true`, { method: 'POST', body: form });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not both: the query has')]);
    expect((await fetch(server.url, { method: 'DELETE', body: form })).status).toBe(415);
  });

  it('of another site is refused like any request of it', async () => {
    const server = await start({ plugins });
    const answer = await post(server.port, formOf([named('html'), 'x']), 'Origin: https://site.test\r\nSec-Fetch-Site: cross-site\r\n');
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('origin_refused')]);
  });

  it('that arrives too slowly is 408', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const server = await start({ plugins });
    const socket = openSocket(server.port);
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000\r\n\r\n';
    socket.write(`${head}--x\r\n${named('html')}\r\n\r\n${'x'.repeat(200_000)}`);
    let answer: Buffer | undefined;
    void answered.then(([bytes]) => (answer = bytes));
    // Until the bytes have arrived, nothing is too slow.
    await vi.waitFor(() => {
      vi.advanceTimersByTime(20_000);
      expect(answer).toBeDefined();
    });
    expect(parseAnswer(String(answer))).toMatchObject({ status: 408 });
    socket.destroy();
  });

  it('whose client leaves is given up', async () => {
    const server = await start({ plugins });
    const socket = openSocket(server.port);
    const over = server.finished(() => true);
    socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n--x\r\n`,
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.end(() => socket.destroy());
    expect((await over).status).toBeGreaterThanOrEqual(400);
  });
});
