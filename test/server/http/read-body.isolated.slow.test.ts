import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { definePlugin } from '@platen/kernel';
import { describe, expect, it, vi } from 'vitest';
import { openSocket, parseAnswer, sendRaw } from '../raw-http.js';
import { useServers } from '../test-server.js';

const MIB = 1024 * 1024;
const start = useServers();
const storage = definePlugin({ name: 'storage', params: { with_storage: { type: 'object', description: 'A state.' } } });

/** All but the end of a body that inflates to 8 MiB at most. */
const HALF = gzipSync(`{"url":"http://a.test/","image_selector":"${'x'.repeat(8 * MIB - 64)}"}`).subarray(0, -9);
const POST = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${String(HALF.length + 9)}\r\n\r\n`;

describe('bodies that are read at once', () => {
  it('are refused past the memory for them, small ones are not, and it comes back when clients leave', async () => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(MIB);
    const server = await start({});
    // 320 MiB hold 40 of them.
    const sockets = Array.from({ length: 48 }, () => openSocket(server.port));
    const refused = sockets.map(async (socket) => {
      socket.write(POST);
      socket.write(HALF);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      return parseAnswer(bytes.toString());
    });
    const answer = await Promise.any(refused);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'overloaded', retryable: true });
    expect((await server.post({ url: 'http://a.test/' })).status).toBe(200);
    const gone = server.finished(() => server.records.length === 49);
    for (const socket of sockets) socket.destroy();
    await gone;
    expect((await server.post({ url: 'http://a.test/', image_selector: 'x'.repeat(7 * MIB) })).status).toBe(200);
  });
});

it('a body is limited by the memory of its values, not by their number', async () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(MIB);
  const server = await start({ plugins: [storage] });
  const post = (items: string) => server.post(`{"url":"http://a.test/","with_storage":{"a":[${items}1]}}`);
  expect((await post('1,'.repeat(1_100_000))).status).toBe(200);
  const refused = await post('[],'.repeat(20_000_000));
  expect([refused.status, await refused.json()]).toEqual([413, expect.objectContaining({ code: 'payload_too_large', retryable: false })]);
  expect((await post('1,'.repeat(1_100_000))).status).toBe(200);
});

it('more requests on one connection than a hundred whose answers are owed end it', async () => {
  let renders = 0;
  const server = await start({
    render: async (_, { signal }) => {
      renders += 1;
      if (signal === undefined) throw new Error('the server must pass a signal');
      await once(signal, 'abort');
      throw signal.reason;
    },
  });
  expect(await sendRaw(server.port, 'GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(101))).toMatchObject({
    body: '',
  });
  expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ in_flight: 0 });
  expect(renders).toBeLessThanOrEqual(101);
});

it('a body of more keys than there can be parameters is refused before it is parsed and validated', async () => {
  const server = await start({});
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${String(n)}`, '1']));
  const validate = vi.spyOn(server.kernel, 'validate');
  const answer = await server.post({ url: 'http://a.test/', ...many });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    code: 'malformed_request',
    detail: 'the body has more than 1000 keys, objects and lists outside of "navigator_data": send render parameters only',
  });
  expect(validate).not.toHaveBeenCalled();
  expect((await server.post({ url: 'http://a.test/', navigator_data: many })).status).toBe(200);
  expect(validate).toHaveBeenCalled();
});
