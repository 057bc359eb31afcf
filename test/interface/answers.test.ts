import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, PlatenError, type ErrorCode, type ErrorOptions } from '@platen/kernel';
import { openServer, rendered, type TestServer } from '../server/test-server.js';

/** What the next render throws. */
let failure: Error | undefined;
let server: TestServer;
beforeAll(async () => {
  server = await openServer({
    render(plan, options) {
      if (failure !== undefined) return Promise.reject(failure);
      return rendered(plan, options);
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function renderFailing(error: Error): Promise<Response> {
  failure = error;
  try {
    return await server.get('url=http://a.test/');
  } finally {
    failure = undefined;
  }
}

describe('render headers', () => {
  it('Content-Type, Content-Disposition, X-Request-Id, Server-Timing, and what the render adds', async () => {
    const response = await server.get('url=https://example.com/docs/start');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '5',
      'content-disposition': 'inline; filename="example.com-docs-start.png"',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      // The rest is the figures of the render; the server adds its own wait to the first.
      'server-timing': expect.stringMatching(
        /^queue;dur=\d+\.\d, open;dur=1\.0, navigate;dur=2\.0, wait;dur=3\.0, capture;dur=4\.0, encode;dur=5\.0$/,
      ),
      'x-target-status': '200',
    });
    expect(await response.text()).toBe('a png');
  });

  it('Content-Type keeps its charset', async () => {
    const response = await server.get('url=https://example.com/&output_type=html');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="example.com.html"');
  });

  it('a name that is no ASCII is sent in both spellings (RFC 6266, RFC 8187)', async () => {
    const response = await server.get(`url=${encodeURIComponent('https://example.com/büro "x"')}`);
    expect(response.headers.get('content-disposition')).toMatch(
      /^inline; filename="example\.com-b-ro-x\.png"; filename\*=UTF-8''example\.com-b%C3%BCro-x\.png$/i,
    );
  });

  it('X-Request-Id is taken from the client where it is sane, else made', async () => {
    const idFor = async (id: string) =>
      (await server.get('url=http://a.test/', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idFor('job-1.a:b_C')).toBe('job-1.a:b_C');
    expect(await idFor('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor('"><script>')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('HEAD is GET without its body', async () => {
    const response = await server.get('url=https://example.com/', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('5');
    expect(await response.text()).toBe('');
    expect((await server.get('nonsense=1', { method: 'HEAD' })).status).toBe(400);
  });

  it('there is no Link header without additional assets', async () => {
    expect((await server.get('url=http://a.test/')).headers.has('link')).toBe(false);
  });
});

describe('security headers', () => {
  it.each(['/?url=http://a.test/', '/?url=http://a.test/&output_type=html', '/?nonsense=1', '/status', '/assets?id=none', '/nowhere'])(
    '%s is neither sniffed nor run as the server',
    async (path) => {
      const { headers } = await fetch(`${server.url}${path}`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe('sandbox');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.has('set-cookie')).toBe(false);
      expect(headers.has('x-powered-by')).toBe(false);
    },
  );

  it('only images and videos may be embedded by other origins', async () => {
    const policy = async (query: string) => (await server.get(query)).headers.get('cross-origin-resource-policy');
    expect(await policy('url=http://a.test/')).toBe('cross-origin');
    expect(await policy('url=http://a.test/&output_type=html')).toBe('same-origin');
    expect(await policy('nonsense=1')).toBe('same-origin');
  });

  it('a preflight gets no permission', async () => {
    const response = await fetch(`${server.url}/`, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.test', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(403);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('OPTIONS names the methods', async () => {
    const response = await fetch(`${server.url}/`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST']);
  });
});

describe('error body', () => {
  it("is a problem document (RFC 9457) with Platen's members", async () => {
    const response = await server.get('url=http://a.test/&emulate_touch_points=17', { headers: { 'x-request-id': 'r1' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      type: 'urn:platen:problem:invalid_parameters',
      title: 'Invalid parameters',
      status: 400,
      detail: '"emulate_touch_points" must be between 1 and 16',
      instance: 'r1',
      code: 'invalid_parameters',
      errors: [{ parameter: 'emulate_touch_points', detail: '"emulate_touch_points" must be between 1 and 16' }],
      retryable: false,
    });
  });

  const cases: readonly (readonly [ErrorCode, ErrorOptions, object])[] = [
    ['target_status', { target: { url: 'http://a.test/', status: 503 } }, { status: 502, target: { url: 'http://a.test/', status: 503 } }],
    [
      'target_unreachable',
      { target: { url: 'http://a.test/', net_error: 'net::ERR_CONNECTION_REFUSED' } },
      { status: 502, retryable: true, target: { url: 'http://a.test/', net_error: 'net::ERR_CONNECTION_REFUSED' } },
    ],
    ['render_timeout', { phase: 'wait', unmet: 'css:#never' }, { status: 504, phase: 'wait', unmet: 'css:#never', retryable: true }],
    ['selector_not_found', {}, { status: 422, retryable: false }],
    ['goal_not_reached', {}, { status: 422 }],
    ['step_failed', {}, { status: 422, retryable: false }],
    ['robots_disallowed', {}, { status: 403 }],
    [
      'target_not_page',
      { target: { url: `data:text/html,${'a'.repeat(5000)}` } },
      { status: 502, target: { url: `data:text/html,${'a'.repeat(1985)}…` } },
    ],
    ['target_blocked', {}, { status: 403 }],
    ['license_required', {}, { status: 403 }],
    ['feature_unavailable', {}, { status: 501 }],
    ['too_many_requests', { retry_after: 2.1 }, { status: 429, retryable: true }],
    ['browser_unavailable', {}, { status: 503, retryable: true }],
    ['overloaded', {}, { status: 503, retryable: true }],
    ['gone', {}, { status: 410 }],
    ['llm_upstream', {}, { status: 502, retryable: true }],
    ['llm_output_invalid', {}, { status: 502, retryable: false }],
  ];
  it.each(cases)('%s', async (code, options, expected) => {
    const response = await renderFailing(new PlatenError(code, 'what failed', options));
    expect(response.status).toBe(ERRORS[code].status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code, title: ERRORS[code].title, detail: 'what failed', ...expected });
  });

  it('429 and 503 say when to come again', async () => {
    expect((await renderFailing(new PlatenError('too_many_requests', 'full'))).headers.get('retry-after')).toBe('1');
    expect((await renderFailing(new PlatenError('too_many_requests', 'full', { retry_after: 2.1 }))).headers.get('retry-after')).toBe('3');
    expect((await renderFailing(new PlatenError('browser_unavailable', 'none'))).headers.get('retry-after')).toBe('5');
    expect((await renderFailing(new PlatenError('target_status', '500'))).headers.has('retry-after')).toBe(false);
  });

  it('of an unexpected error the client sees neither text nor stack', async () => {
    const response = await renderFailing(new TypeError('cannot read /etc/secret of undefined'));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', title: 'Internal server error', retryable: false });
    expect(text).not.toMatch(/secret|undefined| {4}at |\.ts/);
  });
});

describe('other statuses', () => {
  it('404: nothing at the path', async () => {
    for (const path of ['/nowhere', '/index.html', '/status/', '/status/x', '/Status', '/STATUS', '/%2e%2e%2fstatus', '//']) {
      const response = await fetch(`${server.url}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
      expect((await response.json()).code).toBe('not_found');
    }
  });

  it('405 with Allow', async () => {
    const response = await fetch(`${server.url}/`, { method: 'PUT', body: '{}' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST']);
    expect((await response.json()).code).toBe('method_not_allowed');
    const status = await fetch(`${server.url}/status`, { method: 'POST' });
    expect(status.status).toBe(405);
    expect(status.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD']);
  });

  it('406 where Accept rules the output type out', async () => {
    const get = (accept: string, type = 'png') => server.get(`url=http://a.test/&output_type=${type}`, { headers: { accept } });
    expect((await get('image/png')).status).toBe(200);
    expect((await get('image/*')).status).toBe(200);
    expect((await get('text/html,*/*;q=0.1')).status).toBe(200);
    expect((await get('text/html', 'html')).status).toBe(200);
    const refused = await get('application/json');
    expect(refused.status).toBe(406);
    expect(await refused.json()).toMatchObject({ code: 'not_acceptable', detail: expect.stringContaining('image/png') });
    expect((await get('image/png;q=0, */*')).status).toBe(406);
  });

  it('415: POST takes application/json and multipart/form-data only', async () => {
    for (const type of [
      ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'],
      ...['application/ld+json', 'application/json; charset=utf-16', 'application/json; charset=latin1'],
    ]) {
      const response = await server.post('{"url":"http://a.test/"}', { headers: { 'content-type': type } });
      expect([type, response.status]).toEqual([type, 415]);
    }
  });
});

describe('GET /status', () => {
  it('says what decisions say', async () => {
    const response = await fetch(`${server.url}/status`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      status: 'ok',
      in_flight: 0,
      queued: 0,
      max_concurrency: expect.any(Number),
      uptime_seconds: expect.any(Number),
      version: server.kernel.version,
    });
  });
});
