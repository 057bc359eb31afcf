/** Reads along with the start of each answer, and changes nothing. */
export interface StatusWatch {
  /** A request went out: what comes next is the start of its answer. */
  expect(): void;
  /** Whether the bytes complete the status of a proxy that asks for credentials (407). */
  asksForProxyAuth(bytes: Buffer): boolean;
}

/** Chromium's own limit for an answer's header block: it takes no longer one. */
const MAX_WATCHED = 256 * 1024;

/**
 * A site must not speak as the proxy: asked by one, a browser looks for credentials, and a direct connection refuses such an answer. Its
 * status is found as Chromium finds it: at most four bytes in front, interim answers skipped.
 */
export function createStatusWatch(): StatusWatch {
  let watched: string | undefined;
  return {
    expect() {
      watched = '';
    },
    asksForProxyAuth(bytes) {
      if (watched === undefined) return false;
      watched += bytes.toString('latin1');
      // Nothing is decided within a line: bytes that drip in one by one are not looked at each time.
      if (watched.length > 8 && watched.length <= MAX_WATCHED && !bytes.includes('\n')) return false;
      const { status, rest } = finalStatus(watched);
      watched = rest !== undefined && rest.length <= MAX_WATCHED ? rest : undefined;
      return status === 407;
    },
  };
}

/** The final status, or what is to be looked at again with more bytes behind it; neither where this is no HTTP. */
function finalStatus(text: string): { readonly status?: number; readonly rest?: string } {
  const start = text.slice(0, 8).search(/http/i);
  if (start === -1) return text.length < 8 ? { rest: text } : {};
  const line = /^[^\n]*\n/.exec(text.slice(start))?.[0];
  if (line === undefined) return { rest: text };
  const status = Number(/^\S+ +(\d+)/.exec(line)?.[1] ?? 200);
  if (status < 100 || status > 199 || status === 101) return { status };
  const end = /\n\r?\n/.exec(text);
  return end === null ? { rest: text } : finalStatus(text.slice(end.index + end[0].length));
}
