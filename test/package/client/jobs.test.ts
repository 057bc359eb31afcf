import type { CallOptions, JobProgress } from 'platen/client';
import { describe, expect, it, vi } from 'vitest';
import { failureOf, json, openClient, PAGE, problem } from './fake-server.js';

const untilAborted = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

describe('job', () => {
  const accepted = json({ id: 'J1', state: 'queued' }, { status: 202 });
  const state = (body: object) => json({ id: 'J1', ...body }, { headers: { 'retry-after': '0' } });
  const done = state({
    state: 'done',
    output: { url: '/assets?id=out', content_type: 'image/png', bytes: 3 },
    assets: [{ name: 'har', url: '/assets?id=har', content_type: 'application/json', bytes: 2 }],
    headers: { 'X-Target-Status': '200' },
  });

  it('reports its progress once each, and has output, headers and assets of the render', async () => {
    const running = state({ state: 'running', progress: { phase: 'wait' } });
    const { client, requests } = openClient([
      accepted,
      state({ state: 'queued' }),
      running,
      running,
      done,
      new Response('png'),
      new Response('{}'),
    ]);
    const seen: JobProgress[] = [];
    const { id, result } = await client.job(PAGE, { onProgress: (progress) => void seen.push(progress) });
    const rendered = await result;
    expect(seen).toEqual([{ state: 'queued' }, { state: 'running', phase: 'wait' }, { state: 'done' }]);
    expect([id, await rendered.text(), rendered.headers.get('x-target-status')]).toEqual(['J1', 'png', '200']);
    expect(rendered.assets()).toMatchObject([{ name: 'har', contentType: 'application/json' }]);
    expect(await (await rendered.assets()[0]?.open())?.json()).toEqual({});
    const path = (url: string) => url.slice('https://render.test/behind'.length);
    expect(requests.map(({ method, url, headers }) => [method, path(url), headers.get('prefer')])).toEqual([
      ['POST', '/', 'respond-async'],
      ...Array.from({ length: 4 }, () => ['GET', '/jobs/J1', 'wait=1']),
      ['GET', '/assets?id=out', null],
      ['GET', '/assets?id=har', null],
    ]);
  });

  it('waits for its end in long requests where nobody wants to know', async () => {
    const { client, requests } = openClient([accepted, done, new Response('png')]);
    await (
      await client.job(PAGE)
    ).result;
    expect(requests[1]?.headers.get('prefer')).toBe('wait=30');
  });

  it('rejects as the render would', async () => {
    const failed = state({ state: 'failed', problem: { code: 'target_status', status: 502, detail: 'no' }, assets: [] });
    const { result } = await openClient([accepted, failed]).client.job(PAGE);
    expect(await failureOf(result)).toMatchObject({ name: 'PlatenError', code: 'target_status', status: 502, message: 'no' });
    const { client } = openClient([problem({ code: 'invalid_parameters' }, 400)]);
    expect(await failureOf(client.job({}))).toMatchObject({ code: 'invalid_parameters' });
  });

  it('is canceled on request, and its result rejects', async () => {
    let isCanceled = false;
    const answer = ({ method }: Request) => {
      isCanceled ||= method === 'DELETE';
      return method === 'DELETE' ? new Response(null, { status: 204 }) : state({ state: isCanceled ? 'canceled' : 'running' });
    };
    const { client, requests } = openClient([accepted, answer]);
    const { result, cancel } = await client.job(PAGE);
    await cancel();
    expect(await failureOf(result)).toMatchObject({ name: 'AbortError' });
    expect(requests.some(({ method, url }) => method === 'DELETE' && url.endsWith('/jobs/J1'))).toBe(true);
  });

  it('is canceled by the signal', async () => {
    const leave = new AbortController();
    const answer = (request: Request) => {
      if (request.method === 'DELETE') return new Response(null, { status: 204 });
      setImmediate(() => {
        leave.abort(new Error('left'));
      });
      return untilAborted(request);
    };
    const { client, requests } = openClient([accepted, answer]);
    const { result } = await client.job(PAGE, { signal: leave.signal });
    await expect(result).rejects.toThrow('left');
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', url: 'https://render.test/behind/jobs/J1' });
  });

  it('is the render itself on a server without jobs', async () => {
    const { id, result, cancel } = await openClient([new Response('png')]).client.job(PAGE);
    expect([id, await (await result).text()]).toEqual([undefined, 'png']);
    await expect(cancel()).rejects.toThrow(TypeError);
  });
});

describe('batch', () => {
  /** Answers when told to, by URL. */
  function held() {
    const waiting = new Map<string, (response: Response) => void>();
    let most = 0;
    const answer = async (request: Request): Promise<Response> => {
      const { url } = (await request.clone().json()) as { url: string };
      return await new Promise((resolve, reject) => {
        waiting.set(url, resolve);
        most = Math.max(most, waiting.size);
        request.signal.addEventListener('abort', () => {
          reject(request.signal.reason as Error);
        });
      });
    };
    const end = async (url: string, response = new Response(url)) => {
      await vi.waitUntil(() => waiting.has(url));
      waiting.get(url)?.(response);
      waiting.delete(url);
    };
    return { answer, end, most: () => most };
  }
  const pages = (...names: readonly string[]) => names.map((url) => ({ url, output_type: 'pdf', pdf_scale: 1 }) as const);

  it('renders a few at a time, and yields in the order of completion, errors too', async () => {
    const { answer, end, most } = held();
    const { client, requests } = openClient([answer]);
    const batch = client.batch(pages('a', 'b', 'c', 'd'), { concurrency: 2 });
    const [first] = await Promise.all([batch.next(), end('b')]);
    expect(first.value).toMatchObject({ index: 1, rendered: { contentType: 'text/plain;charset=UTF-8' } });
    const [second] = await Promise.all([batch.next(), end('c', problem({ code: 'target_status' }, 502))]);
    expect(second.value).toMatchObject({ index: 2, error: { code: 'target_status' } });
    const rest: number[] = [];
    const read = async () => {
      for await (const { index } of batch) rest.push(index);
    };
    await Promise.all([read(), end('a'), end('d')]);
    expect(rest.sort()).toEqual([0, 3]);
    expect([requests.length, most()]).toEqual([4, 2]);
    expect(await first.value?.rendered?.text()).toBe('b');
  });

  it('begins no more, and aborts those in progress, when the loop is left or the caller leaves', async () => {
    for (const how of ['break', 'signal'] as const) {
      const { answer, end } = held();
      const { client, requests } = openClient([answer]);
      const leave = new AbortController();
      const options: CallOptions & { concurrency: number } = { concurrency: 2, signal: leave.signal };
      const loop = async () => {
        for await (const { index } of client.batch(pages('a', 'b', 'c', 'd'), options)) {
          expect(index).toBe(0);
          if (how === 'break') break;
          leave.abort(new Error('left'));
        }
      };
      const [failure] = await Promise.all([failureOf(loop()), end('a')]);
      expect(failure).toEqual(how === 'break' ? undefined : new Error('left'));
      expect(requests.map(({ signal }) => signal.aborted).filter(Boolean).length).toBeGreaterThanOrEqual(1);
      expect(requests.length).toBeLessThanOrEqual(3);
    }
  });
});
