import type { Readable } from 'node:stream';

/** JSON text in chunks. */
export type JsonPieces = AsyncIterable<string> | Iterable<string>;

/** An object with some members that are too large for memory: they are written last. */
export async function* jsonObject(fields: object, streamed: Readonly<Record<string, JsonPieces | undefined>>): AsyncGenerator<string> {
  const head = JSON.stringify(fields).slice(0, -1);
  yield head;
  let before = head === '{' ? '' : ',';
  for (const [name, pieces] of Object.entries(streamed)) {
    if (!pieces) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces;
    before = ',';
  }
  yield '}';
}

export async function* jsonArray(items: AsyncIterable<JsonPieces>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield* item;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** UTF-8 bytes as a JSON string; a truncated last character is omitted, a byte order mark is preserved. */
export async function* jsonText(bytes: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield '"';
  for await (const chunk of bytes as AsyncIterable<Buffer>) yield JSON.stringify(decoder.decode(chunk, { stream: true })).slice(1, -1);
  yield '"';
}

/** Any bytes, as a JSON string of their base64 form. */
export async function* jsonBase64(bytes: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  yield '"';
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const all = Buffer.concat([rest, chunk]);
    const whole = all.length - (all.length % 3);
    yield all.toString('base64', 0, whole);
    rest = all.subarray(whole);
  }
  yield rest.toString('base64');
  yield '"';
}

/** Joins chunks to some 64 KiB each. */
export async function* inBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let block: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    block.push(piece);
    length += piece.length;
    if (length < 65_536) continue;
    yield block.join('');
    block = [];
    length = 0;
  }
  yield block.join('');
}
