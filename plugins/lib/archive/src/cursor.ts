/** Reads chunks of bytes piece by piece. */
export class Cursor {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, at least so many unless the chunks end; they stay. */
  async peek(bytes: number): Promise<Buffer> {
    while (this.#rest.length < bytes && (await this.#more()));
    return this.#rest;
  }

  /** A head with the empty line that ends it; undefined: there is none in so many bytes. */
  async head(limit: number): Promise<Buffer | undefined> {
    for (let wanted = 1024; ; wanted *= 4) {
      const found = await this.peek(Math.min(wanted, limit));
      const end = /\r?\n\r?\n/.exec(found.toString('latin1', 0, limit));
      if (end) return this.#cut(end.index + end[0].length);
      if (found.length < wanted || wanted >= limit) return undefined;
    }
  }

  /** A line with its break; undefined: there is none in so many bytes. */
  async line(limit: number): Promise<string | undefined> {
    const end = (await this.peek(limit)).indexOf('\n');
    return end < 0 || end >= limit ? undefined : this.#cut(end + 1).toString('latin1');
  }

  /** The next bytes; fewer if the chunks end. */
  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const chunk = this.#cut(Math.min(left, this.#rest.length));
      left -= chunk.length;
      yield chunk;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #cut(bytes: number): Buffer {
    const cut = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(bytes);
    return cut;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
