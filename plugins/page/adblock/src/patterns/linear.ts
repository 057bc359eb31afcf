import { NetworkFilter } from '@ghostery/adblocker';
import { RE2JS } from 're2js';
import { wildcardMatcher } from './wildcards.js';

/** A regular expression of which `test` alone may be used, as engines do. */
const patternOf = (test: (text: string) => boolean): RegExp => Object.assign(new RegExp('(?:)'), { test });

const ANYTHING = patternOf(() => true);

/**
 * Has all engines of this process match in time that grows with the text alone. The library turns rules into regular expressions that
 * backtrack: `*` between words, and those that lists bring themselves, would let any page hold the process for minutes by one address.
 * The prototype is the one place that rules from lists and rules from kept engines share.
 */
export function matchLinearly(): void {
  NetworkFilter.prototype.getRegex = function (this: NetworkFilter): RegExp {
    return (this.regex ??= compile(this));
  };
}

function compile(filter: NetworkFilter): RegExp {
  const { filter: text, isCaseSensitive } = filter;
  if (text === undefined || !filter.isRegex()) return ANYTHING;
  if (filter.isFullRegex()) {
    const expression = compileExpression(filter);
    return patternOf((url) => expression.test(url));
  }
  // The engine asks with an address in lower case where the case does not count; letters beyond ASCII are in none.
  const pattern = isCaseSensitive ? text : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return patternOf(wildcardMatcher(pattern, { left: filter.isLeftAnchor(), right: filter.isRightAnchor() }));
}

/** Throws for what cannot be matched without backtracking: looking ahead, back references, a thousand repetitions. */
function compileExpression(filter: NetworkFilter): RE2JS {
  const source = RE2JS.translateRegExp(filter.getFilter().slice(1, -1));
  return RE2JS.compile(source, filter.isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
}

/** Whether a rule can be matched in linear time. */
export function isLinear(filter: NetworkFilter): boolean {
  if (!filter.isFullRegex()) return true;
  try {
    compileExpression(filter);
    return true;
  } catch {
    return false;
  }
}
