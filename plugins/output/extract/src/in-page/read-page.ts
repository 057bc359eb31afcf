import type { ExtractionRequest } from '../keys.js';
import type { Rules } from '../rule.js';
import { RuleError, RuleReader } from './rule-reader.js';
import { readLinks, readMetadata } from './read-metadata.js';

export interface PageRequest extends Pick<ExtractionRequest, 'metadata' | 'links'> {
  readonly rules: Rules | null;
}

/** `data`: HTML to be converted is marked. `fault`: the place of a rule, and the error of its selector; without one, it matches nothing. */
export type PageAnswer = { readonly data: object } | { readonly fault: { readonly place: string; readonly selector: string | null } };

export function readPage({ rules, metadata, links }: PageRequest): PageAnswer {
  try {
    const reader = new RuleReader();
    if (rules !== null) reader.check(rules);
    return {
      data: {
        ...(rules === null ? {} : { extract: reader.readFields(document, rules) }),
        ...(metadata ? { metadata: readMetadata() } : {}),
        ...(links ? { links: readLinks() } : {}),
      },
    };
  } catch (error) {
    if (error instanceof RuleError) return { fault: { place: error.place, selector: error.selector } };
    throw error;
  }
}
