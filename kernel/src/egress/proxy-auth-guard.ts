/** Reads along with the start of each answer, and changes nothing. */
export interface ProxyAuthGuard {
  /** A request went out: what comes next is the start of its answer. */
  expect(): void;
  /** Whether the bytes complete the status of a proxy that asks for credentials (407). */
  asksForProxyAuth(bytes: Buffer): boolean;
}

/** Chromium's own limit for an answer's header block: it takes no longer one. */
const MAX_WATCHED = 256 * 1024;
/** What a status line begins with stands within so many characters. */
const OPENING = 8;
/** Characters by which a line is told from an empty one. */
const EMPTY_LINE = 3;
const LINE_FEED = 0x0a;

/** One of an answer's header blocks, as far as it has come. */
interface Head {
  size: number;
  /** The status line so far, with what is in front of it; undefined once it is known to be of an interim answer. */
  line: string | undefined;
  /** Where the status begins in it, once that is known. */
  start: number | undefined;
  /** What there is of a field without its end. Only whether it is empty matters: of a long one there is no more than its beginning. */
  field: string;
}

const openHead = (): Head => ({ size: 0, line: '', start: undefined, field: '' });

/**
 * A site must not speak as the proxy: asked by one, a browser looks for credentials, and a direct connection refuses such an answer. Its
 * status is found as Chromium finds it: at most four bytes in front, interim answers skipped. A switch of protocols (101) is one of those:
 * what is sent on here asks for none, since WebSockets come by CONNECT.
 */
export function createProxyAuthGuard(): ProxyAuthGuard {
  let head: Head | undefined;
  return {
    expect() {
      head = openHead();
    },
    asksForProxyAuth(bytes) {
      // Each byte once: a site may send them one by one, and interim answers without an end.
      let at = 0;
      while (head !== undefined && at < bytes.length) {
        const from = at;
        const feed = bytes.indexOf(LINE_FEED, from);
        at = feed === -1 ? bytes.length : feed + 1;
        head.size += at - from;
        if (head.line === undefined) head = readField(head, bytes.subarray(from, at));
        else {
          const status = readStatus(head, bytes.toString('latin1', from, at));
          if (status === 407) {
            head = undefined;
            return true;
          }
          head = behindStatus(head, status);
        }
        if (head !== undefined && head.size > MAX_WATCHED) head = undefined;
      }
      return false;
    },
  };
}

/** The status, as soon as its line is whole; undefined before that, and `none` where this is no HTTP. */
function readStatus(head: Head, piece: string): number | 'none' | undefined {
  const line = (head.line ?? '') + piece;
  head.line = line;
  if (head.start === undefined) {
    const start = line.slice(0, OPENING).search(/http/i);
    if (start === -1) return line.length < OPENING ? undefined : 'none';
    head.start = start;
  }
  return piece.endsWith('\n') ? Number(/^\S+ +(\d+)/.exec(line.slice(head.start))?.[1] ?? 200) : undefined;
}

/** What is read next: nothing behind a final status. */
function behindStatus(head: Head, status: ReturnType<typeof readStatus>): Head | undefined {
  if (status === undefined) return head;
  if (status === 'none' || status < 100 || status > 199) return undefined;
  return { ...head, line: undefined };
}

/** What is read next: another answer behind the empty line that ends an interim one. */
function readField(head: Head, piece: Buffer): Head {
  const field = head.field + piece.toString('latin1', 0, EMPTY_LINE - head.field.length);
  if (piece.at(-1) !== LINE_FEED) return Object.assign(head, { field });
  return field === '\n' || field === '\r\n' ? openHead() : Object.assign(head, { field: '' });
}
