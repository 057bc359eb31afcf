import { contextKey, paramKey } from '@platen/kernel';
import type { ExtractParams } from './params.js';

export const extractParam = paramKey<ExtractParams, 'extract'>('extract');
export const extractMetadataParam = paramKey<ExtractParams, 'extract_metadata'>('extract_metadata');
export const extractLinksParam = paramKey<ExtractParams, 'extract_links'>('extract_links');
export const extractScriptParam = paramKey<ExtractParams, 'extract_script'>('extract_script');

/** The members of the output. */
export interface ExtractionRequest {
  readonly extract: boolean;
  readonly metadata: boolean;
  readonly links: boolean;
  readonly script: boolean;
}

/** Set by another plugin that reads pages, instead of the keys of the request that choose the members. */
export const extractionRequest = contextKey<ExtractionRequest>('extract: request');
