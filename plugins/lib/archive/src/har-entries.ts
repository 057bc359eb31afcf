import { type ByteSource, readAhead, readFrom } from './byte-source.js';
import { NotAnArchive } from './contract.js';

/** As many as files in a WACZ. */
const MOST_ENTRIES = 100_000;
/** Of one entry: a body of 48 MiB in base64. */
const LARGEST_ENTRY = 64 * 1024 * 1024;
/** Of one entry: brackets and commas. To parse more takes much time and memory. */
const MOST_PARTS = 100_000;
/** Chrome nests the stacks of an initiator 32 deep. */
const DEEPEST = 64;

/**
 * The entries of a HAR file, parsed one by one. The rest of the file is passed over, so that it may be anything.
 *
 * @throws NotAnArchive
 */
export async function* readEntries(source: ByteSource, signal: AbortSignal): AsyncGenerator {
  const [finder, ahead] = [new EntryFinder(), readAhead(source)];
  let count = 0;
  for await (const chunk of readFrom(source, 0, signal)) {
    for (const { start, end } of finder.scan(chunk)) {
      count += 1;
      if (count > MOST_ENTRIES) throw new NotAnArchive(`a HAR file of more than ${String(MOST_ENTRIES)} entries`);
      if (end - start > LARGEST_ENTRY) throw new NotAnArchive(`a HAR file with an entry of more than ${String(LARGEST_ENTRY)} bytes`);
      yield parse((await ahead.read(start, end - start)).toString());
    }
  }
  if (!finder.isComplete) throw damaged();
  if (!finder.hasEntries) throw new NotAnArchive('JSON, but no HAR file: it has no log.entries');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

function damaged(): NotAnArchive {
  return new NotAnArchive('a damaged HAR file: it is not valid JSON');
}

const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:');
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');

/** Finds the objects `log.entries[*]` in the chunks of a JSON text. */
class EntryFinder {
  hasEntries = false;
  /** By depth, the key whose value is being read. */
  readonly #keys = Array.from({ length: DEEPEST + 1 }, () => '');
  #depth = 0;
  #offset = 0;
  #start = 0;
  #parts = 0;
  #string: 'none' | 'open' | 'escape' = 'none';
  /** The start of the last string. */
  #text = '';

  get isComplete(): boolean {
    return this.#depth === 0 && this.#string === 'none';
  }

  /** The places of the entries that end in the next chunk. */
  scan(chunk: Buffer): readonly { readonly start: number; readonly end: number }[] {
    const found = [];
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#string !== 'none') this.#readString(byte);
      else if (byte === QUOTE) [this.#string, this.#text] = ['open', ''];
      else if (byte === COLON) this.#keys[this.#depth] = this.#text;
      else if (byte === COMMA) this.#count();
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#open(byte, this.#offset + at);
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (this.#depth < 0) throw damaged();
        if (this.#depth === 3 && byte === CLOSE_OBJECT && this.#isInEntries())
          found.push({ start: this.#start, end: this.#offset + at + 1 });
      }
    }
    this.#offset += chunk.length;
    return found;
  }

  #readString(byte: number): void {
    if (this.#string === 'escape') this.#string = 'open';
    else if (byte === BACKSLASH) this.#string = 'escape';
    else if (byte === QUOTE) this.#string = 'none';
    else if (this.#depth <= 2 && this.#text.length < 8) this.#text += String.fromCharCode(byte);
  }

  #open(byte: number, at: number): void {
    if (this.#depth === DEEPEST) throw new NotAnArchive(`JSON nested more than ${String(DEEPEST)} levels deep`);
    if (this.#depth === 2 && byte === OPEN_ARRAY && this.#isInEntries()) this.hasEntries = true;
    if (this.#depth === 3) [this.#start, this.#parts] = [at, 0];
    this.#depth += 1;
    this.#keys[this.#depth] = '';
    this.#count();
  }

  #count(): void {
    this.#parts += 1;
    if (this.#depth > 3 && this.#parts > MOST_PARTS && this.#isInEntries())
      throw new NotAnArchive(`a HAR file with an entry of more than ${String(MOST_PARTS)} values`);
  }

  #isInEntries(): boolean {
    return this.#keys[1] === 'log' && this.#keys[2] === 'entries';
  }
}
