/** Storing each URL of a long list by itself would take longer than to read the list. */
const LARGEST_BATCH = 1000;

/** The first item alone, so that the walk begins; then twice as many each time. */
export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  let size = 1;
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = Math.min(LARGEST_BATCH, 2 * size);
  }
  if (batch.length > 0) yield batch;
}
