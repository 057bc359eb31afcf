import { vi } from 'vitest';

/** Waits for what has no event to wait for: a process or a folder that goes, a page opened behind the scenes. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 30_000, interval: 10 });
}
