/** A member of the trace's JSON object: one event of `traceEvents`, or the whole `metadata`. */
export interface TracePart {
  readonly kind: 'event' | 'metadata';
  /** Its JSON text, an object. */
  readonly text: string;
}

export interface TraceSplitter {
  /** Takes the next piece of text and gives the members that end in it, in order. */
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

/** Where the members are: depth 1 is the trace's object, an event stands in an array in it. */
const MEMBER_DEPTH = { traceEvents: 2, metadata: 1 } as const;

/**
 * Cuts a trace in JSON object format (Trace Event Format, "JSON Object Format") into its members as it comes, whatever its white
 * space is: a trace may be larger than a string can be, let alone its parsed form.
 */
export function createTraceSplitter(): TraceSplitter {
  return new Splitter();
}

class Splitter implements TraceSplitter {
  complete = false;
  #depth = 0;
  /** The last string of the trace's object itself: a key, when a container begins. */
  #key = '';
  /** What is not done with: it begins with the member, or else the string, that has begun and not ended. */
  #rest = '';
  /** Of `#rest`: how far it has been read, and where the member begins, -1 where none has. */
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

  /** What begins, or ends, at this depth. */
  #memberKind(): TracePart['kind'] | undefined {
    if (this.#key === 'traceEvents' && this.#depth === MEMBER_DEPTH.traceEvents) return 'event';
    return this.#key === 'metadata' && this.#depth === MEMBER_DEPTH.metadata ? 'metadata' : undefined;
  }
}

/** The index of the quote that ends the string; -1 where that is still to come. */
function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
