import { domainToASCII } from 'node:url';
import { FiltersEngine, type NetworkFilter, parseFilters } from '@ghostery/adblocker';
import { ENGINE_CONFIG, RESOURCES, RESOURCES_DIGEST } from './engine-config.js';
import { isLinear } from './patterns/linear.js';

/** Rules keep their source line (`debug`), so that errors quote them as written. */
const READ = { ...ENGINE_CONFIG, debug: true };

/** The host at the start of a rule if it has non-ASCII characters. The engine would cut it off at the first of them. */
const FOREIGN_HOST = /^(\s*(?:@@)?\|(?:\||https?:\/\/))((?![ -~]+(?:[\^/:|$\s]|$))[\p{L}\p{M}\p{N}._-]+)(?=[\^/:|$\s]|$)/gmu;

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

/** The rules of a list in EasyList syntax. */
interface Rules extends Omit<ReturnType<typeof parseFilters>, 'notSupportedFilters'> {
  /** Lines that are neither comments nor rules that can match. */
  readonly skipped: readonly string[];
}

function parseRules(text: string): Rules {
  const { networkFilters, notSupportedFilters, ...others } = parseFilters(text.replace(FOREIGN_HOST, spellHost), READ);
  const [usable, useless] = [networkFilters.filter(isUsable), networkFilters.filter((filter) => !isUsable(filter))];
  return {
    ...others,
    networkFilters: usable,
    skipped: [...notSupportedFilters.map(({ filter }) => filter).filter(isNoComment), ...useless.map(String)],
  };
}

/** Converts a host to the form that browsers send (IDNA). A value that is not a host is returned unchanged. */
function spellHost(whole: string, start: string, host: string): string {
  const spelled = domainToASCII(host);
  return spelled === '' ? whole : `${start}${spelled}`;
}

function isUsable(filter: NetworkFilter): boolean {
  return !isWords(filter) && isLinear(filter);
}

/** URLs contain neither blanks nor quotes. Such lines are sentences, hosts file lines or JSON, which the engine would accept as rules. */
function isWords(filter: NetworkFilter): boolean {
  return !filter.isFullRegex() && /[\s"]/.test(filter.getFilter());
}

/** The library also reports headers (`[Adblock Plus 2.0]`), comments and directives. */
function isNoComment(line: string): boolean {
  return !/^(?:\s*$|!|#(?:$|\s)|\[[^\]]*\]$)/.test(line);
}
