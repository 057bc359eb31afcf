import { contextKey, paramKey } from '@platen/kernel';
import type { WaitParams } from './params.js';

export const waitForParam = paramKey<WaitParams, 'wait_for'>('wait_for');

/** Waits for the request's condition once more, for content that a plugin has caused to load. Seconds count from now on. */
export const waitAgainKey = contextKey<() => Promise<void>>('wait: once more');
