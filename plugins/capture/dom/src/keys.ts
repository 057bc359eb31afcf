import { contextKey, paramKey } from '@platen/kernel';
import type { ContentRequest, DomRequest } from './capture-kinds.js';
import type { DomParams } from './params.js';

export const mainContentParam = paramKey<DomParams, 'main_content'>('main_content');

/** Set by an output plugin in an early tap of `capture.dom`, for its own output alone. */
export const domRequest = contextKey<DomRequest>('dom: request');

/** Set by an output plugin in an early tap of `capture.content`, for its own output alone. */
export const contentRequest = contextKey<ContentRequest>('content: request');
