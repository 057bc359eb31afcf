import { silentLogger, type Logger } from '@platen/kernel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTraceContext } from '../../../server/src/service/trace-context.js';
import { openServer } from '../test-server.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const HEADER = `00-${TRACE}-${PARENT}-01`;

describe('traceparent', () => {
  it.each([HEADER, `00-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-what-later-versions-say`, `01-${TRACE}-${PARENT}-01`])(
    '%s is taken',
    (value) => {
      expect(readTraceContext([value])).toEqual({ trace_id: TRACE, parent_id: PARENT, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
    },
  );

  it.each([
    [],
    [''],
    [HEADER, HEADER],
    [`ff-${TRACE}-${PARENT}-01`],
    [`00-${TRACE}-${PARENT}-01-more`],
    [`00-${TRACE}-${PARENT}`],
    [`00-${'0'.repeat(32)}-${PARENT}-01`],
    [`00-${TRACE}-${'0'.repeat(16)}-01`],
    [HEADER.toUpperCase()],
    [`${HEADER} `],
    [`00-${TRACE}-${PARENT}-01\n`],
    ['canary'],
  ])('%j is left alone', (...values) => {
    expect(readTraceContext(values)).toBeUndefined();
  });

  it('gives each request a span of its own', () => {
    expect(readTraceContext([HEADER])?.span_id).not.toBe(readTraceContext([HEADER])?.span_id);
  });
});

describe('a request with a traceparent', () => {
  it('is logged with its trace, its span and its caller, the lines of its render too', async () => {
    const lines: object[] = [];
    const children: object[] = [];
    const log: Logger = {
      ...silentLogger,
      info: (fields) => void lines.push(fields),
      child(fields) {
        children.push(fields);
        return log;
      },
    };
    const server = await openServer({ log });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const finished = server.finished(() => true);
    const answer = await server.get('url=http://a.test/', { headers: { traceparent: HEADER } });
    await answer.arrayBuffer();
    const { trace } = await finished;
    expect(trace).toMatchObject({ trace_id: TRACE, parent_id: PARENT });
    expect(lines).toContainEqual(expect.objectContaining({ endpoint: 'GET /', ...trace }));
    expect(children).toContainEqual({ request: answer.headers.get('x-request-id'), ...trace });
    // What was not asked for is not told.
    expect([...answer.headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
  });

  it('that is wrong is answered as if it had none', async () => {
    const server = await openServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const finished = server.finished(() => true);
    expect((await server.get('url=http://a.test/', { headers: { traceparent: 'canary' } })).status).toBe(200);
    expect(await finished).not.toHaveProperty('trace');
  });
});
