/** Inspects the start of each response without changing it. */
export interface ProxyAuthGuard {
  /** A request was sent: the next bytes start its response. */
  expect(): void;
  /** Whether the bytes complete a 407 (Proxy Authentication Required) status. */
  asksForProxyAuth(bytes: Buffer): boolean;
}

/** Chromium's own limit for the size of a response's header block. */
const MAX_WATCHED = 256 * 1024;
/** The start of a status line is within this number of characters. */
const OPENING = 8;
/** Number of characters needed to distinguish a line from an empty one. */
const EMPTY_LINE = 3;
const LINE_FEED = 0x0a;

/** One of a response's header blocks, as far as received. */
interface Head {
  size: number;
  /** The status line so far, including bytes in front of it; undefined once it belongs to an interim response. */
  line: string | undefined;
  /** Start of the status, once known. */
  start: number | undefined;
  /** The received part of an unfinished field. Only whether it is empty matters, so only its start is buffered. */
  field: string;
}

const openHead = (): Head => ({ size: 0, line: '', start: undefined, field: '' });

/**
 * A site must not impersonate the proxy: on a proxy's 407 a browser looks for credentials, while on a direct connection it refuses such a
 * response. The status is located as in Chromium: at most four bytes in front, interim responses skipped. 101 (Switching Protocols) counts
 * as interim: requests forwarded here never ask for it, since WebSockets use CONNECT.
 */
export function createProxyAuthGuard(): ProxyAuthGuard {
  let head: Head | undefined;
  return {
    expect() {
      head = openHead();
    },
    asksForProxyAuth(bytes) {
      // Reads each byte only once: a site may send single bytes, and endless interim responses.
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

/** The status, once its line is complete; undefined before, and `none` if the response is not HTTP. */
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

/** The next state: nothing is read after a final status. */
function behindStatus(head: Head, status: ReturnType<typeof readStatus>): Head | undefined {
  if (status === undefined) return head;
  if (status === 'none' || status < 100 || status > 199) return undefined;
  return { ...head, line: undefined };
}

/** The next state: another response after the empty line that ends an interim one. */
function readField(head: Head, piece: Buffer): Head {
  const field = head.field + piece.toString('latin1', 0, EMPTY_LINE - head.field.length);
  if (piece.at(-1) !== LINE_FEED) return Object.assign(head, { field });
  return field === '\n' || field === '\r\n' ? openHead() : Object.assign(head, { field: '' });
}
