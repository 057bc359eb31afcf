import { FiltersEngine } from '@ghostery/adblocker';
import { ENGINE_CONFIG } from './engine-config.js';
import { parseRules } from './parse-rules.js';
import { RESOURCES, RESOURCES_DIGEST } from './scriptlets/index.js';

/** A serialized engine with statistics about its lists. */
export interface CachedEngine {
  readonly bytes: Uint8Array;
  readonly facts: EngineFacts;
}

export interface EngineFacts {
  readonly rules: number;
  /** Lines that are neither comments nor rules that the engine supports. */
  readonly skipped: number;
  /** The number of rules that hide elements or run scripts. */
  readonly cosmetic: number;
}

export interface BuiltEngine extends CachedEngine {
  /** One item per list, in order. */
  readonly lists: readonly ListFacts[];
  /** The first skipped lines, truncated. */
  readonly samples: readonly string[];
}

export type ListFacts = Pick<EngineFacts, 'rules' | 'skipped'>;

/** Enough lines to find the error in a list. */
const SAMPLES = 5;
const SAMPLE_LENGTH = 200;

/** Builds an engine from lists in EasyList syntax. Takes seconds for large lists. */
function buildEngine(texts: readonly string[]): BuiltEngine {
  const parsed = texts.map(parseRules);
  const networkFilters = parsed.flatMap((list) => list.networkFilters);
  const cosmeticFilters = parsed.flatMap((list) => list.cosmeticFilters);
  const preprocessors = parsed.flatMap((list) => list.preprocessors);
  const skipped = parsed.flatMap((list) => list.skipped);
  const engine = new FiltersEngine({ networkFilters, cosmeticFilters, preprocessors, config: ENGINE_CONFIG });
  engine.updateResources(RESOURCES, RESOURCES_DIGEST);
  return {
    bytes: engine.serialize(),
    facts: { rules: networkFilters.length + cosmeticFilters.length, skipped: skipped.length, cosmetic: cosmeticFilters.length },
    lists: parsed.map((list) => ({ rules: list.networkFilters.length + list.cosmeticFilters.length, skipped: list.skipped.length })),
    samples: skipped.slice(0, SAMPLES).map((line) => line.slice(0, SAMPLE_LENGTH)),
  };
}

export { buildEngine as default };
