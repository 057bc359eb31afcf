import { NetworkFilter } from '@ghostery/adblocker';
import { RE2JS } from 're2js';
import { wildcardMatcher } from './wildcards.js';

/** A regular expression that supports `test` only, which is the only method that engines call. */
const patternOf = (test: (text: string) => boolean): RegExp => Object.assign(new RegExp('(?:)'), { test });

const ANYTHING = patternOf(() => true);

/**
 * Makes all engines of this process match in time linear in the text length. The library turns rules into backtracking regular expressions.
 * With a `*` between words, or an expression from a list, any page could block the process for minutes with one URL. The prototype is
 * patched because rules from lists and rules from cached engines share nothing else.
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
  // For case-insensitive rules the engine passes a lower-case URL. URLs have no letters outside ASCII.
  const pattern = isCaseSensitive ? text : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return patternOf(wildcardMatcher(pattern, { left: filter.isLeftAnchor(), right: filter.isRightAnchor() }));
}

/** Throws for patterns that need backtracking: lookahead, back references, a thousand repetitions. */
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
