import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { createPipeTransport } from '../../../../kernel/src/browser/protocol/pipe-transport.js';
import { until } from '../../../helpers/until.js';

const MAX = 1000;

function open() {
  const [write, read] = [new PassThrough(), new PassThrough()];
  const messages: string[] = [];
  const refused: { readonly event: string | undefined; readonly bytes: number }[] = [];
  let closed = false;
  const transport = createPipeTransport({ write, read, maxBytes: MAX, refused: (event, bytes) => refused.push({ event, bytes }) });
  transport.onmessage = (message) => messages.push(message);
  transport.onclose = () => (closed = true);
  /** Resolves with all that was delivered until the last of them. */
  const received = async (count: number) => {
    await until(() => messages.length >= count);
    return messages;
  };
  return { write, read, transport, refused, received, isClosed: () => closed };
}

/** A text in pieces of so many bytes. */
function inPieces(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

it('ends each message that it sends by a NUL', async () => {
  const { write, transport } = open();
  transport.send('{"id":1}');
  transport.send('{"id":2,"ü":"€"}');
  transport.close();
  expect((await buffer(write)).toString()).toBe('{"id":1}\0{"id":2,"ü":"€"}\0');
});

it.each(['x', '€'])('does not send more than Chromium takes, and sends the next message: %s', async (text) => {
  const { write, transport } = open();
  const most = 100 * 2 ** 20 - 1;
  const whole = text.repeat(Math.floor(most / Buffer.byteLength(text)));
  const full = whole + 'x'.repeat(most - Buffer.byteLength(whole));
  write.resume();
  transport.send(full);
  expect(() => {
    transport.send(`${full}x`);
  }).toThrow('too large for the browser');
  transport.close();
  await finished(write, { readable: false });
  expect(write.writableLength).toBe(0);
});

it.each([1, 2, 7, 64, 10_000])('puts messages together that come in pieces of %i bytes', async (size) => {
  const { read, received } = open();
  const sent = ['{"id":1}', '{"method":"x","params":"ä€😀"}', '{}', `{"id":2,"result":"${'y'.repeat(MAX - 20)}"}`];
  for (const piece of inPieces(`${sent.join('\0')}\0`, size)) read.write(piece);
  expect(await received(sent.length)).toEqual(sent);
});

it.each([1, 3, 100, 10_000])('answers a call with an error whose answer is too long, in pieces of %i bytes', async (size) => {
  const { read, received, refused } = open();
  const long = (id: number, session: string) => `{"id":${String(id)},"result":{"data":"${'z'.repeat(5000)}"}${session}}\0`;
  for (const piece of inPieces(`${long(7, ',"sessionId":"AB12"')}${long(8, '')}{"id":9}\0`, size)) read.write(piece);
  const error = { code: -32_000, message: 'the response is too large' };
  expect((await received(3)).map((text): unknown => JSON.parse(text))).toEqual([
    { id: 7, error, sessionId: 'AB12' },
    { id: 8, error },
    { id: 9 },
  ]);
  expect(refused.map(({ bytes }) => bytes)).toEqual([long(7, ',"sessionId":"AB12"').length - 1, long(8, '').length - 1]);
});

it('drops an event that is too long, and takes the next message', async () => {
  const { read, received, refused } = open();
  // What a page sends may look like an answer.
  read.write(`{"method":"Network.requestWillBeSent","params":"${'{"id":3,"sessionId":"CD"}'.repeat(200)}"}\0{"id":4}\0`);
  expect(await received(1)).toEqual(['{"id":4}']);
  expect(refused).toEqual([{ event: 'Network.requestWillBeSent', bytes: expect.any(Number) }]);
});

it('closes with the pipe', async () => {
  const { read, isClosed } = open();
  read.destroy();
  await until(isClosed);
});
