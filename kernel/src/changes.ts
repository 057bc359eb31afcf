/** Wakes tasks that wait for a state to change. */
export class Changes {
  #wake = (): void => undefined;
  #next = this.#renew();

  /** Resolves at the next change. To be called before the state is read: a change in between is not missed then. */
  next(): Promise<void> {
    return this.#next;
  }

  notify(): void {
    const wake = this.#wake;
    this.#next = this.#renew();
    wake();
  }

  #renew(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
