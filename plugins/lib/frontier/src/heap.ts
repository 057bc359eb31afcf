/** A binary heap: the entry with the lowest order is at the top. */
export interface Heap<T> {
  peek(): T | undefined;
  pop(): T | undefined;
  push(entry: T): void;
}

export function createHeap<T extends { readonly order: number | string }>(): Heap<T> {
  const entries: T[] = [];
  const swapIfLower = (child: number, parent: number): boolean => {
    const [a, b] = [entries[child], entries[parent]];
    if (a === undefined || b === undefined || a.order >= b.order) return false;
    entries[child] = b;
    entries[parent] = a;
    return true;
  };
  const sink = (from: number): void => {
    for (let parent = from; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const [a, b] = [entries[left], entries[right]];
      const lower = a !== undefined && b !== undefined && b.order < a.order ? right : left;
      if (!swapIfLower(lower, parent)) return;
      parent = lower;
    }
  };
  return {
    peek: () => entries[0],
    push(entry) {
      entries.push(entry);
      for (let child = entries.length - 1; child > 0;) {
        const parent = (child - 1) >> 1;
        if (!swapIfLower(child, parent)) return;
        child = parent;
      }
    },
    pop() {
      const top = entries[0];
      const last = entries.pop();
      if (last === undefined || entries.length === 0) return top;
      entries[0] = last;
      sink(0);
      return top;
    },
  };
}
