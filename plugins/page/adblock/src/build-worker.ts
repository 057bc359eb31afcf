import { FiltersEngine, parseFilters } from '@ghostery/adblocker';
import { ENGINE_CONFIG } from './engine-config.js';
import { RESOURCES, RESOURCES_DIGEST } from './scriptlets/index.js';

/** An engine in the form in which it is kept, and what it was made of. */
export interface BuiltEngine {
  readonly bytes: Uint8Array;
  readonly facts: EngineFacts;
}

export interface EngineFacts {
  readonly rules: number;
  /** Lines that are neither rules that the engine knows nor comments. */
  readonly skipped: number;
  /** Of the rules, those that hide or run scripts. */
  readonly cosmetic: number;
}

/** Builds an engine from lists in EasyList syntax: seconds of work for the large ones. */
function buildEngine(texts: readonly string[]): BuiltEngine {
  const parsed = texts.map((text) => parseFilters(text, ENGINE_CONFIG));
  const networkFilters = parsed.flatMap((list) => list.networkFilters);
  const cosmeticFilters = parsed.flatMap((list) => list.cosmeticFilters);
  const preprocessors = parsed.flatMap((list) => list.preprocessors);
  const skipped = parsed.reduce((sum, { notSupportedFilters }) => sum + notSupportedFilters.filter(isNoComment).length, 0);
  const engine = new FiltersEngine({ networkFilters, cosmeticFilters, preprocessors, config: ENGINE_CONFIG });
  engine.updateResources(RESOURCES, RESOURCES_DIGEST);
  const facts = { rules: networkFilters.length + cosmeticFilters.length, skipped, cosmetic: cosmeticFilters.length };
  return { bytes: engine.serialize(), facts };
}

/** Headers (`[Adblock Plus 2.0]`), comments and directives are told of too. */
function isNoComment({ filter }: { readonly filter: string }): boolean {
  return !/^(?:\s*$|!|#(?:$|\s)|\[[^\]]*\]$)/.test(filter);
}

export { buildEngine as default };
