import { domainToASCII } from 'node:url';
import { parseFilters, type NetworkFilter } from '@ghostery/adblocker';
import { ENGINE_CONFIG } from './engine-config.js';
import { isLinear } from './patterns/linear.js';

/** The rules of a list in EasyList syntax. */
export interface Rules extends Omit<ReturnType<typeof parseFilters>, 'notSupportedFilters'> {
  /** Lines that are neither comments nor rules that can match. */
  readonly skipped: readonly string[];
}

/** Rules keep their source line (`debug`), so that errors quote them as written. */
const READ = { ...ENGINE_CONFIG, debug: true };

export function parseRules(text: string): Rules {
  const { networkFilters, notSupportedFilters, ...others } = parseFilters(text.replace(FOREIGN_HOST, spellHost), READ);
  const [usable, useless] = [networkFilters.filter(isUsable), networkFilters.filter((filter) => !isUsable(filter))];
  return {
    ...others,
    networkFilters: usable,
    skipped: [...notSupportedFilters.map(({ filter }) => filter).filter(isNoComment), ...useless.map(String)],
  };
}

/** The host at the start of a rule if it has non-ASCII characters. The engine would cut it off at the first of them. */
const FOREIGN_HOST = /^(\s*(?:@@)?\|(?:\||https?:\/\/))((?![ -~]+(?:[\^/:|$\s]|$))[\p{L}\p{M}\p{N}._-]+)(?=[\^/:|$\s]|$)/gmu;

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
