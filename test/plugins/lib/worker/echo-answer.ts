import { resourceLimits, threadId } from 'node:worker_threads';

export async function answer(input: unknown): Promise<unknown> {
  if (input === 'throw') throw new TypeError('thrown in the worker');
  if (input === 'die') process.exit(3);
  if (input === 'loop') for (;;);
  if (input === 'thread') return threadId;
  if (input === 'young') return resourceLimits.maxYoungGenerationSizeMb;
  if (input === 'hoard')
    for (const held: string[][] = []; ;) held.push(Array.from({ length: 10_000 }, (_, at) => `${String(held.length)} ${String(at)}`));
  return input;
}
