import { contextKey, paramKey } from '@platen/kernel';
import type { ExtractParams } from './params.js';

export const extractParam = paramKey<ExtractParams, 'extract'>('extract');

/** The members of the output. */
export interface ExtractionRequest {
  readonly extract: boolean;
  readonly metadata: boolean;
  readonly links: boolean;
  readonly script: boolean;
}

/** Set by another plugin that reads pages, instead of the keys of the request that choose the members. */
export const extractionRequest = contextKey<ExtractionRequest>('extract: request');
