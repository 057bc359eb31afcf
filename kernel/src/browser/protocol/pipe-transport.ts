import type { Readable, Writable } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import type { ConnectionTransport } from 'puppeteer-core';
import { PlatenError } from '../../errors.js';

export interface PipeOptions {
  readonly write: Writable;
  readonly read: Readable;
  /** Maximum message size in bytes; by default an eighth of Node's heap, and at most 256 MiB. */
  readonly maxBytes?: number;
  /** Called for longer messages; `event` is undefined for the response to a call. */
  readonly refused: (event: string | undefined, bytes: number) => void;
}

const MOST = 256 * 2 ** 20;
/** Chromium ends at a longer message (`kReceiveBufferSizeForDevtools`). */
const MOST_SENT = 100 * 2 ** 20;
const SHARE_OF_HEAP = 1 / 8;
/** Bytes inspected of a dropped message: a response starts with its call's id and ends with its session's id. */
const ENDS = 256;
/** The error message in place of a response that is too long. */
export const TOO_LARGE = 'the response is too large';
const NOTHING = Buffer.alloc(0);

/** Messages of the protocol over the pipes of `--remote-debugging-pipe`: JSON, each ended by a NUL. */
export function createPipeTransport({ write, read, refused, maxBytes = longestMessage() }: PipeOptions): ConnectionTransport {
  const deliver = (message: string): void => {
    // Each in its own event loop turn: code awaiting the previous response must continue first.
    setImmediate(() => transport.onmessage?.(message));
  };
  const take = createMessageReader({ maxBytes, refused, deliver });
  const transport: ConnectionTransport = {
    send(message) {
      // A unit of UTF-16 has at most three bytes of UTF-8: short messages are not measured.
      if (message.length * 3 >= MOST_SENT && Buffer.byteLength(message) >= MOST_SENT)
        throw new PlatenError('payload_too_large', 'the request is too large for the browser: it accepts messages of at most 100 MiB');
      write.write(`${message}\0`);
    },
    close() {
      read.off('data', take);
      write.end();
    },
  };
  read.on('data', take);
  read.once('close', () => transport.onclose?.());
  // Both close when the browser ends, which its exit event reports.
  for (const pipe of [read, write]) pipe.on('error', () => undefined);
  return transport;
}

interface ReaderOptions extends Required<Pick<PipeOptions, 'maxBytes' | 'refused'>> {
  readonly deliver: (message: string) => void;
}

/**
 * Pages control the length of messages (`requestWillBeSent` has POST data, `webSocketFrameSent` sent payloads), and Node limits the length
 * of strings. Beyond the limit an event is dropped, and a response becomes an error. No memory is allocated for it.
 */
function createMessageReader({ maxBytes, refused, deliver }: ReaderOptions): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head = '';
  let tail: Buffer = NOTHING;

  const add = (part: Buffer): void => {
    bytes += part.length;
    parts.push(part);
    if (bytes <= maxBytes) return;
    if (head === '') head = startOf(parts);
    tail = Buffer.from(Buffer.concat([tail, ...parts.map((each) => each.subarray(-ENDS))]).subarray(-ENDS));
    parts = [];
  };
  const end = (): void => {
    const message = head === '' ? Buffer.concat(parts).toString() : answerTo(head, tail.toString());
    if (head !== '') refused(/^\{"method":"([\w.]+)"/.exec(head)?.[1], bytes);
    [parts, bytes, head, tail] = [[], 0, '', NOTHING];
    if (message !== undefined) deliver(message);
  };
  return (chunk) => {
    let start = 0;
    for (let stop = chunk.indexOf(0); stop !== -1; stop = chunk.indexOf(0, start)) {
      add(chunk.subarray(start, stop));
      end();
      start = stop + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}

function longestMessage(): number {
  return Math.min(MOST, Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP));
}

function startOf(parts: readonly Buffer[]): string {
  let start: Buffer = NOTHING;
  for (const part of parts) {
    start = Buffer.concat([start, part.subarray(0, ENDS - start.length)]);
    if (start.length === ENDS) break;
  }
  return start.toString();
}

/** The error in place of a response, `{"id":7,"result":...,"sessionId":"..."}`; undefined for an event, which no caller awaits. */
function answerTo(head: string, tail: string): string | undefined {
  const id = /^\{"id":(\d+),/.exec(head)?.[1];
  if (id === undefined) return undefined;
  const sessionId = /,"sessionId":"(\w+)"\}$/.exec(tail)?.[1];
  return JSON.stringify({
    id: Number(id),
    error: { code: -32_000, message: TOO_LARGE },
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}
