import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Redaction } from '@platen/lib-redaction';
import type { Spool } from '@platen/lib-spool';
import type { BodyState, ExchangeBody } from './exchange.js';

/** Where bodies and messages are stored, without secrets. */
export interface RecordingSpool extends Pick<Spool, 'openWriter'> {
  readonly redaction?: Redaction | undefined;
}

/** A body that is being written to the spool. */
export interface BodyRecording {
  /** Bytes received, stored or not. */
  readonly received: number;
  write(bytes: Buffer): void;
  /** No more bytes come. `complete` becomes `truncated` or `partial` if bytes were omitted. */
  end(state: BodyState): void;
  /** The bytes are text that the browser has decoded. */
  decoded(): void;
  describe(seen: number): ExchangeBody;
}

/** `limit`: maximum number of stored bytes. */
export function openBodyRecording(spool: RecordingSpool, limit = Infinity): BodyRecording {
  const stored = openStore(spool, limit);
  const redactor = spool.redaction?.openBytes();
  let received = 0;
  let exact = true;
  let state: BodyState | undefined;
  let sha256: string | undefined;
  return {
    get received() {
      return received;
    },
    write(bytes) {
      if (state !== undefined) return;
      received += bytes.length;
      stored.add(redactor === undefined ? bytes : redactor.push(bytes));
    },
    end(wanted) {
      if (state !== undefined) return;
      if (redactor !== undefined) stored.add(redactor.end());
      stored.end();
      const cut = stored.omitted ? 'truncated' : 'complete';
      if (stored.refused) state = 'partial';
      else state = wanted === 'complete' ? cut : wanted;
      if (state === 'complete') sha256 = stored.digest();
    },
    decoded() {
      exact = false;
    },
    describe: (seen) => ({
      state: state ?? 'partial',
      bytes: stored.bytes,
      seen: Math.max(seen, received),
      utf8: stored.utf8,
      sha256,
      exact,
      open: () => stored.open(),
    }),
  };
}

/** The bytes of a body up to the limit, with their digest and encoding. */
function openStore(spool: RecordingSpool, limit: number) {
  const writer = spool.openWriter();
  const hash = createHash('sha256');
  const text = createUtf8Check();
  const store = {
    /** Bytes beyond the limit. */
    omitted: false,
    /** The disk was too slow. */
    refused: false,
    get bytes() {
      return writer.bytes;
    },
    get utf8() {
      return text.valid;
    },
    add(bytes: Buffer) {
      const stored = bytes.subarray(0, Math.max(0, limit - writer.bytes));
      store.omitted ||= stored.length < bytes.length;
      if (stored.length === 0 || store.refused) return;
      store.refused = !writer.write(stored);
      if (store.refused) return;
      hash.update(stored);
      text.feed(stored);
    },
    end() {
      writer.end();
    },
    /** Of a complete body. */
    digest() {
      text.end();
      return hash.digest('hex');
    },
    open: () => writer.open(),
  };
  return store;
}

/** A body without stored bytes. */
export function describeNoBody(state: BodyState, seen = 0): ExchangeBody {
  return { state, bytes: 0, seen, utf8: true, sha256: undefined, exact: true, open: () => Readable.from([]) };
}

/** Whether bytes received in pieces are UTF-8. */
function createUtf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let valid = true;
  const attempt = (run: () => unknown): void => {
    try {
      if (valid) run();
    } catch {
      valid = false;
    }
  };
  return {
    get valid() {
      return valid;
    },
    feed(bytes: Buffer) {
      attempt(() => decoder.decode(bytes, { stream: true }));
    },
    /** The last character must be complete. */
    end() {
      attempt(() => decoder.decode());
    },
  };
}
