import { domainToASCII } from 'node:url';
import { parseFilters, type NetworkFilter } from '@ghostery/adblocker';
import { ENGINE_CONFIG } from './engine-config.js';
import { isLinear } from './patterns/linear.js';

/** What a list in EasyList syntax says. */
export interface Rules extends Omit<ReturnType<typeof parseFilters>, 'notSupportedFilters'> {
  /** Lines that are neither rules that can hit anything nor comments. */
  readonly skipped: readonly string[];
}

/** Rules keep the line that they are of (`debug`): a refusal names them as they were written. */
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

/** The host that a rule begins with, where it is not of ASCII: the engine would end it at its first such letter. */
const FOREIGN_HOST = /^(\s*(?:@@)?\|(?:\||https?:\/\/))((?![ -~]+(?:[\^/:|$\s]|$))[\p{L}\p{M}\p{N}._-]+)(?=[\^/:|$\s]|$)/gmu;

/** As browsers send it (IDNA). What is no host stays. */
function spellHost(whole: string, start: string, host: string): string {
  const spelled = domainToASCII(host);
  return spelled === '' ? whole : `${start}${spelled}`;
}

function isUsable(filter: NetworkFilter): boolean {
  return !isWords(filter) && isLinear(filter);
}

/** No address has a blank or a quote: a sentence, a line of a hosts file, JSON. The engine takes any of them for a rule. */
function isWords(filter: NetworkFilter): boolean {
  return !filter.isFullRegex() && /[\s"]/.test(filter.getFilter());
}

/** Headers (`[Adblock Plus 2.0]`), comments and directives are told of too. */
function isNoComment(line: string): boolean {
  return !/^(?:\s*$|!|#(?:$|\s)|\[[^\]]*\]$)/.test(line);
}
