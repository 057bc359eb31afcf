import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addAbortSignal, finished } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { writeTrace } from '../../../../plugins/output/trace/src/write-trace.js';

/** Large, and nothing that gzip makes small: everybody on its way has to wait for the next. */
function* pieces(): Generator<string, void> {
  yield '{"traceEvents":[';
  for (let at = 0; at < 20_000; at++) yield `${at === 0 ? '' : ','}{"ph":"I","ts":${String(at)},"name":"${Math.random().toString(36)}"}`;
  yield ']}';
}

const trace = {
  startedAt: new Date(0),
  pageStart: undefined,
  dataLoss: false,
  async *read() {
    for (const piece of pieces()) yield await Promise.resolve(piece);
  },
};

it('a gzipped trace takes all the listeners that a server gives it, without a warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  const body = writeTrace(trace, { url: 'http://a.test/', deviceScaleFactor: 1, wholeNavigation: true, gzip: true });
  expect(body.listenerCount('close')).toBe(0);
  const server = createServer((_request, response) => {
    finished(body, { writable: false }, () => undefined);
    void pipeline(addAbortSignal(new AbortController().signal, body), response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<Buffer>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => void buffer(response).then(resolve, reject));
  });
  await new Promise((closed) => server.close(closed));
  process.off('warning', onWarning);
  expect(JSON.parse(gunzipSync(answer).toString()).traceEvents).toHaveLength(20_000);
  expect(warnings).toEqual([]);
});

it('is given up with its reader', async () => {
  let ended = false;
  const endless = {
    ...trace,
    async *read() {
      try {
        yield '{"traceEvents":[';
        for (let at = 0; ; at++) yield await Promise.resolve(`${at === 0 ? '' : ','}{"ph":"I","name":"${Math.random().toString(36)}"}`);
      } finally {
        ended = true;
      }
    },
  };
  const body = writeTrace(endless, { url: 'http://a.test/', deviceScaleFactor: 1, wholeNavigation: true, gzip: true });
  await new Promise((readable) => body.once('readable', readable));
  const closed = new Promise((close) => body.once('close', close));
  body.destroy();
  await closed;
  await expect.poll(() => ended).toBe(true);
});
