import { contextKey } from '@platen/kernel';
import type { ContentRequest } from './capture-kinds.js';

/** Set by an output plugin in `beforeNavigate`. */
export const contentRequest = contextKey<ContentRequest>('content: request');
