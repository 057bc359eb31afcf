/** A member of the trace's JSON object: one event of `traceEvents`, or the whole `metadata`. */
export interface TracePart {
  readonly kind: 'event' | 'metadata';
  /** Its JSON text, an object. */
  readonly text: string;
}

export interface TraceSplitter {
  /** Accepts the next chunk of text and returns the members that end in it, in order. */
  push(piece: string): TracePart[];
  /** True once the object has ended. */
  readonly complete: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The depth of the members: the trace's object has depth 1, an event is in an array in it. */
const MEMBER_DEPTH = { traceEvents: 2, metadata: 1 } as const;

/**
 * Splits a trace in JSON object format (Trace Event Format, "JSON Object Format") into its members as a stream, with any white space: a
 * trace may exceed the maximum length of a string, let alone its parsed form.
 */
export function createTraceSplitter(): TraceSplitter {
  return new Splitter();
}

class Splitter implements TraceSplitter {
  complete = false;
  #depth = 0;
  /** The last string directly in the trace's object: a key, when a container begins. */
  #key = '';
  /** The unprocessed text: begins with an unfinished member or string. */
  #rest = '';
  /** Positions in `#rest`: how far it has been read, and where the member begins, or -1 if none has. */
  #at = 0;
  #memberStart = -1;

  push(piece: string): TracePart[] {
    const text = this.#rest + piece;
    const parts: TracePart[] = [];
    let at = this.#at;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = findStringEnd(text, at + 1);
        if (end < 0) break;
        if (this.#depth === 1) this.#key = text.slice(at + 1, end);
        at = end;
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#open(code, at);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        const part = this.#close(text, at);
        if (part) parts.push(part);
      }
      at += 1;
    }
    const from = this.#memberStart < 0 ? at : this.#memberStart;
    this.#rest = text.slice(from);
    this.#at = at - from;
    if (this.#memberStart >= 0) this.#memberStart = 0;
    return parts;
  }

  #open(code: number, at: number): void {
    if (code === OPEN_BRACE && this.#memberKind() !== undefined) this.#memberStart = at;
    this.#depth += 1;
  }

  #close(text: string, at: number): TracePart | undefined {
    this.#depth -= 1;
    if (this.#depth === 0) this.complete = true;
    const kind = this.#memberKind();
    if (kind === undefined || this.#memberStart < 0) return undefined;
    const part = { kind, text: text.slice(this.#memberStart, at + 1) };
    this.#memberStart = -1;
    return part;
  }

  /** A container that begins or ends at this depth. */
  #memberKind(): TracePart['kind'] | undefined {
    if (this.#key === 'traceEvents' && this.#depth === MEMBER_DEPTH.traceEvents) return 'event';
    return this.#key === 'metadata' && this.#depth === MEMBER_DEPTH.metadata ? 'metadata' : undefined;
  }
}

/** The index of the quote that ends the string; -1 if it has not arrived yet. */
function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
