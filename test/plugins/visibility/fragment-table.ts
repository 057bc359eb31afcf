import { readdirSync, readFileSync } from 'node:fs';

/** Where a fragment is shown: in a frame beside others, alone in the main window, or alone in the window of a phone. */
export type FragmentWindow = 'frame' | 'main' | 'phone';

/** One HTML fragment with what each engine reads of it: words, separated by spaces. */
export interface Fragment {
  readonly name: string;
  readonly html: string;
  readonly window: FragmentWindow;
  /** Text of `html`, `txt` and `markdown`: images as their `alt`, checked boxes as `[x]`. */
  readonly reader: string;
  /** Names of visible nodes of the accessibility tree. */
  readonly tree: string;
  /** Names of its other nodes. */
  readonly hidden: string;
}

const KEYS = new Set(['both', 'reader', 'tree', 'hidden', 'window', 'why']);

/**
 * Reads the files of `fragments/`. A fragment follows a comment: `name | both: words | hidden: words`, or `reader:`, `tree:` and `why:` where the
 * engines rightly differ. `[[x|y]]` stands for one fragment with `x` and one with `y`; a comment that begins with `##` is a heading.
 */
export function readFragments(): readonly Fragment[] {
  const folder = new URL('fragments/', import.meta.url);
  const sources = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return sources.flatMap(readTable);
}

function readTable(source: string): readonly Fragment[] {
  let heading = '';
  return source.split(/^<!-- /m).flatMap((part) => {
    const [, comment = '', html = ''] = /^(.*?) -->\n(.*)$/s.exec(part) ?? [];
    if (comment.startsWith('## ')) heading = comment.slice(3);
    if (comment === '' || comment.startsWith('## ')) return [];
    const [name = '', ...entries] = comment.split(' | ');
    const given = new Map(entries.map((entry) => readEntry(entry, comment)));
    const [reader, tree] = [given.get('reader') ?? given.get('both'), given.get('tree') ?? given.get('both')];
    if (reader === undefined || tree === undefined) throw new Error(`no expected text: ${comment}`);
    if ((reader === tree) === given.has('why')) throw new Error(`give the reason exactly where the engines differ: ${comment}`);
    const shared = { window: readWindow(given.get('window')), reader, tree, hidden: given.get('hidden') ?? '' };
    return expand(html.trim()).map(({ chosen, html: one }) => ({
      ...shared,
      name: [heading, [name, ...chosen].join(', ')].join(': '),
      html: one,
    }));
  });
}

function readEntry(entry: string, comment: string): readonly [string, string] {
  const [, key = '', value = ''] = /^(\w+):\s*(.*)$/.exec(entry) ?? [];
  if (!KEYS.has(key)) throw new Error(`unknown entry "${entry}": ${comment}`);
  return [key, value];
}

function readWindow(value = 'frame'): FragmentWindow {
  if (value !== 'frame' && value !== 'main' && value !== 'phone') throw new Error(`unknown window: ${value}`);
  return value;
}

/** All combinations of the alternatives. */
function expand(html: string): readonly { readonly chosen: readonly string[]; readonly html: string }[] {
  const [whole, list] = /\[\[(.*?)\]\]/s.exec(html) ?? [];
  if (whole === undefined || list === undefined) return [{ chosen: [], html }];
  return list.split('|').flatMap((one) => {
    const rest = expand(html.replaceAll(whole, () => one));
    return rest.map(({ chosen, html: expanded }) => ({ chosen: [one, ...chosen], html: expanded }));
  });
}
