import { PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../server/src/log/create-log.js';
import { openServer, rendered } from '../test-server.js';

function createSink({ isTTY = false } = {}) {
  const lines: string[] = [];
  return { isTTY, lines, write: (text: string) => lines.push(text) };
}

const SECRET = 's3cr3t';

describe('the log', () => {
  it('has one JSON line a render: id, URL without secrets, phases, outcome, bytes', async () => {
    const stream = createSink();
    await using server = await openServer({ log: createLog({ level: 'info', stream }) });
    const over = server.finished(() => true);
    await server.get(`url=${encodeURIComponent(`https://user:${SECRET}@example.com/a?token=${SECRET}#${SECRET}`)}`, {
      headers: { 'x-request-id': 'r1' },
    });
    await over;
    expect(stream.lines).toHaveLength(1);
    expect(JSON.parse(stream.lines[0] ?? '')).toMatchObject({
      level: 'info',
      msg: 'rendered',
      request: 'r1',
      endpoint: 'GET /',
      status: 200,
      output: 'png',
      url: 'https://example.com/a?token=*',
      bytes: 5,
      // The wait for admission is in the queue's time, however short.
      phases: { queue: expect.closeTo(0.3, -2), open: 1, navigate: 2, wait: 3, capture: 4, encode: 5 },
      ms: expect.any(Number),
    });
    expect(stream.lines.join('')).not.toContain(SECRET);
  });

  it('never holds what a request carries', async () => {
    const stream = createSink();
    await using server = await openServer({
      log: createLog({ level: 'debug', stream }),
      render(plan, options) {
        if (!plan.url.includes('fail')) return rendered(plan, options);
        throw new PlatenError('target_unreachable', `cannot reach https://user:${SECRET}@example.com/?k=${SECRET}`);
      },
    });
    const over = server.finished(({ status }) => status === 502);
    await server.post(
      { url: `http://a.test/?x=${SECRET}`, cookie: [`a=${SECRET}`] },
      { headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, cookie: `b=${SECRET}` } },
    );
    await server.post(`{"url":"http://a.test/","emulate_touch_points":"${SECRET}"}`);
    await server.post(`{"url": ${SECRET}}`);
    await server.get(`url=http://a.test/&markdown_selector=&k=${SECRET}`);
    await server.get(`url=http://fail.test/`);
    await over;
    expect(stream.lines).toHaveLength(5);
    expect(stream.lines.join('')).not.toContain(SECRET);
    expect(JSON.parse(stream.lines[4] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'failed',
      code: 'target_unreachable',
      reason: 'cannot reach https://example.com/?k=*',
    });
  });

  it('has the stack of what nobody foresaw, with its URLs redacted', async () => {
    const stream = createSink();
    await using server = await openServer({
      log: createLog({ level: 'info', stream }),
      render: () => Promise.reject(new TypeError(`no such thing at http://u:${SECRET}@h/`)),
    });
    const over = server.finished(() => true);
    await server.get('url=http://a.test/');
    await over;
    const line = JSON.parse(stream.lines[0] ?? '');
    expect(line).toMatchObject({
      level: 'error',
      code: 'internal',
      err: { cause: { type: 'TypeError', message: 'no such thing at http://h/' } },
    });
    expect(line.err.cause.stack).toContain('log-requests.test');
    expect(stream.lines[0]).not.toContain(SECRET);
  });

  it('says nothing of health checks unless asked', async () => {
    const stream = createSink();
    await using server = await openServer({ log: createLog({ level: 'info', stream }) });
    const over = server.finished(() => true);
    await fetch(`${server.url}/status`);
    await over;
    expect(stream.lines).toEqual([]);
  });

  it('is readable on a terminal', async () => {
    const stream = createSink({ isTTY: true });
    await using server = await openServer({ log: createLog({ level: 'info', stream }) });
    const over = server.finished(() => true);
    await server.get('url=http://a.test/');
    await over;
    const line = (stream.lines[0] ?? '').replaceAll(/\u001b\[\d+m/g, '');
    expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}rendered request=\S+ endpoint=GET \/ status=200 .*url=http:\/\/a\.test\/ .*\n$/);
  });

  it('blanks fields of secret names, whatever a plugin passes', () => {
    const stream = createSink();
    createLog({ level: 'info', stream }).info({ headers: { a: SECRET }, render: { cookie: SECRET }, token: SECRET }, 'x');
    expect(stream.lines.join('')).not.toContain(SECRET);
  });
});
