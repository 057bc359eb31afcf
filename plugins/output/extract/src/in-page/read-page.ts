import type { ExtractionRequest } from '../keys.js';
import type { Rules } from '../rule.js';
import { MissingError, RuleReader } from './rule-reader.js';
import { readLinks, readMetadata } from './read-metadata.js';

export interface PageRequest extends Pick<ExtractionRequest, 'metadata' | 'links'> {
  readonly rules: Rules | null;
}

/** `data`: HTML to be converted is marked. `missing`: the place of a rule whose element is required. */
export type PageAnswer = { readonly data: object } | { readonly missing: string };

export function readPage({ rules, metadata, links }: PageRequest): PageAnswer {
  try {
    return {
      data: {
        ...(rules === null ? {} : { extract: new RuleReader().readFields(document, rules) }),
        ...(metadata ? { metadata: readMetadata() } : {}),
        ...(links ? { links: readLinks() } : {}),
      },
    };
  } catch (error) {
    if (error instanceof MissingError) return { missing: error.message };
    throw error;
  }
}
