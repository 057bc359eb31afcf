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
  const writer = spool.openWriter();
  const hash = createHash('sha256');
  const text = createUtf8Check();
  const redactor = spool.redaction?.openBytes();
  let received = 0;
  let omitted = false;
  let refused = false;
  let exact = true;
  let state: BodyState | undefined;
  let sha256: string | undefined;
  const store = (bytes: Buffer): void => {
    const stored = bytes.subarray(0, Math.max(0, limit - writer.bytes));
    omitted ||= stored.length < bytes.length;
    if (stored.length === 0 || refused) return;
    refused = !writer.write(stored);
    if (refused) return;
    hash.update(stored);
    text.feed(stored);
  };
  return {
    get received() {
      return received;
    },
    write(bytes) {
      if (state !== undefined) return;
      received += bytes.length;
      store(redactor === undefined ? bytes : redactor.push(bytes));
    },
    end(wanted) {
      if (state !== undefined) return;
      if (redactor !== undefined) store(redactor.end());
      writer.end();
      const cut = omitted ? 'truncated' : 'complete';
      if (refused) state = 'partial';
      else state = wanted === 'complete' ? cut : wanted;
      if (state === 'complete') {
        text.end();
        sha256 = hash.digest('hex');
      }
    },
    decoded() {
      exact = false;
    },
    describe: (seen) => ({
      state: state ?? 'partial',
      bytes: writer.bytes,
      seen: Math.max(seen, received),
      utf8: text.valid,
      sha256,
      exact,
      open: () => writer.open(),
    }),
  };
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
