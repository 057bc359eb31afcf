import { domainToASCII } from 'node:url';
import { parseFilters, type NetworkFilter } from '@ghostery/adblocker';
import { ENGINE_CONFIG } from './engine-config.js';

/** What a list in EasyList syntax says. */
export interface Rules extends Omit<ReturnType<typeof parseFilters>, 'notSupportedFilters'> {
  /** Lines that are neither rules that can hit anything nor comments. */
  readonly skipped: readonly string[];
}

export function parseRules(text: string): Rules {
  const { networkFilters, notSupportedFilters, ...others } = parseFilters(text.replace(FOREIGN_HOST, spellHost), ENGINE_CONFIG);
  const words = networkFilters.filter(isWords);
  return {
    ...others,
    networkFilters: networkFilters.filter((filter) => !isWords(filter)),
    skipped: [...notSupportedFilters.map(({ filter }) => filter).filter(isNoComment), ...words.map(String)],
  };
}

/** The host that a rule begins with, where it is not of ASCII: the engine would end it at its first such letter. */
const FOREIGN_HOST = /^(\s*(?:@@)?\|(?:\||https?:\/\/))((?![ -~]+(?:[\^/:|$\s]|$))[\p{L}\p{M}\p{N}._-]+)(?=[\^/:|$\s]|$)/gmu;

/** As browsers send it (IDNA). What is no host stays. */
function spellHost(whole: string, start: string, host: string): string {
  const spelled = domainToASCII(host);
  return spelled === '' ? whole : `${start}${spelled}`;
}

/** No address has a blank or a quote: a sentence, a line of a hosts file, JSON. The engine takes any of them for a rule. */
function isWords(filter: NetworkFilter): boolean {
  return !filter.isFullRegex() && /[\s"]/.test(filter.getFilter());
}

/** Headers (`[Adblock Plus 2.0]`), comments and directives are told of too. */
function isNoComment(line: string): boolean {
  return !/^(?:\s*$|!|#(?:$|\s)|\[[^\]]*\]$)/.test(line);
}
