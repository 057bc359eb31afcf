import { contextKey } from '@platen/kernel';
import type { ContentRequest, DomRequest } from './capture-kinds.js';

/** Set by an output plugin in `beforeNavigate`. */
export const domRequest = contextKey<DomRequest>('dom: request');

/** Set by an output plugin in `beforeNavigate`. */
export const contentRequest = contextKey<ContentRequest>('content: request');
