import { Changes } from '@platen/kernel';

/** Hands items from several producers to one consumer; a producer waits until its item was consumed. */
export class RendezvousQueue<T> {
  readonly #waiting: { readonly item: T; readonly consumed: (isConsumed: boolean) => void }[] = [];
  readonly #changes = new Changes();
  #ended = false;
  #error: Error | undefined;

  /** Resolves with true once the consumer has asked for the next item, with false if it has left. */
  push(item: T): Promise<boolean> {
    if (this.#ended) return Promise.resolve(false);
    return new Promise((consumed) => {
      this.#waiting.push({ item, consumed });
      this.#changes.notify();
    });
  }

  /** No more items follow; an error is thrown to the consumer. */
  end(error?: Error): void {
    this.#error ??= error;
    this.#ended = true;
    this.#changes.notify();
  }

  /** Ends when all items were consumed after `end`, or immediately if `end` was called with an error. */
  async *items(): AsyncGenerator<T> {
    try {
      for (;;) {
        if (this.#error !== undefined) throw this.#error;
        const next = this.#waiting.shift();
        if (next === undefined && this.#ended) return;
        if (next === undefined) {
          await this.#changes.next();
          continue;
        }
        let isConsumed = false;
        try {
          yield next.item;
          isConsumed = true;
        } finally {
          next.consumed(isConsumed);
        }
      }
    } finally {
      this.#ended = true;
      for (const { consumed } of this.#waiting.splice(0)) consumed(false);
    }
  }
}
