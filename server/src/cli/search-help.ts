import { ERRORS } from '@platen/kernel';
import { type Fragment, searchTermsOf } from '@platen/schema';
import { exitCodeOfCode } from '../flags/exit-codes.js';
import { wrap } from './describe-fragment.js';
import { ERROR_HELP } from './error-help.js';

/** Names that a search has found. */
export interface Found {
  /** By their name or the words of their tasks. */
  readonly named: readonly string[];
  /** By their description only. */
  readonly described: readonly string[];
}

/** The keys or flags that have all words, in the singular or plural. */
export function searchFragments(words: string, fragments: Iterable<readonly [name: string, fragment: Fragment]>): Found {
  const has = createWordTest(words);
  const all = [...fragments].map(([name, fragment]) => {
    const terms = [name.replaceAll(/[-_]/g, ' '), ...searchTermsOf(fragment)].join(', ');
    return { name, isNamed: has(terms), isDescribed: has(`${terms}, ${fragment.description ?? ''}`) };
  });
  return {
    named: all.filter(({ isNamed }) => isNamed).map(({ name }) => name),
    described: all.filter(({ isNamed, isDescribed }) => isDescribed && !isNamed).map(({ name }) => name),
  };
}

function createWordTest(words: string): (text: string) => boolean {
  const tests = words
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map(
      (word) =>
        new RegExp(String.raw`(?<![a-z0-9])${word.replace(/s$/i, '').replaceAll(/[^a-z0-9]/gi, String.raw`\$&`)}s?(?![a-z0-9])`, 'i'),
    );
  return (text) => tests.length > 0 && tests.every((test) => test.test(text));
}

/** `platen help render_timeout`. Undefined if there is no such error code. */
export function formatError(topic: string): string | undefined {
  const code = Object.keys(ERRORS).find((known): known is keyof typeof ERRORS => known === topic.toLowerCase());
  if (code === undefined) return undefined;
  const { status, title } = ERRORS[code];
  const { cause, cure } = ERROR_HELP[code];
  const where = code.startsWith('boot_') ? '' : `status ${String(status)}, `;
  return `Error "${code}" (${where}exit code ${String(exitCodeOfCode(code))}): ${title}\n${wrap(cause)}\n${wrap(cure)}\n`;
}
