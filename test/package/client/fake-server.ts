import { createClient } from 'platen/client';

export const BASE = 'https://render.test/behind/';
export const PAGE = { url: 'https://a.test/' };

type Answer = Response | ((request: Request) => Response | Promise<Response>);

/** A client of a server that gives these answers, one after the other, and the requests that it got. */
export function openClient(answers: readonly Answer[], options: object = {}) {
  const requests: Request[] = [];
  const left = [...answers];
  const fake: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request);
    request.signal.throwIfAborted();
    const answer = left.length > 1 ? left.shift() : left[0];
    return typeof answer === 'function' ? await answer(request) : (answer?.clone() ?? Response.error());
  };
  return { client: createClient({ baseUrl: BASE, fetch: fake, ...options }), requests };
}

export const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
export const problem = (body: object, status: number, headers: Readonly<Record<string, string>> = {}) =>
  json({ status, retryable: false, ...body }, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
/** What it rejects with. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
