/** Lines that are stored from the start, and from the end: a page may write any number. */
const FIRST = 200;
const LAST = 800;
/** Characters of a text. */
const MAX_TEXT = 4_000;

/** The first and the last of any number of lines of JSON, in bounded memory. */
export class Lines {
  readonly #first: string[] = [];
  readonly #last: string[] = [];
  #omitted = 0;

  add(line: object): void {
    const text = JSON.stringify(line);
    if (this.#first.length < FIRST) {
      this.#first.push(text);
      return;
    }
    this.#last.push(text);
    // Not for each line: it moves all others.
    if (this.#last.length >= 2 * LAST) this.#omitted += this.#last.splice(0, LAST).length;
  }

  /** JSON Lines. Those that were omitted are counted in a line of their place. */
  toBuffer(): Buffer {
    const last = this.#last.slice(-LAST);
    const omitted = this.#omitted + this.#last.length - last.length;
    const lines = [...this.#first, ...(omitted === 0 ? [] : [JSON.stringify({ omitted })]), ...last];
    return Buffer.from(lines.map((line) => `${line}\n`).join(''));
  }
}

export function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
