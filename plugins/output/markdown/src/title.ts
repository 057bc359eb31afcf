import { isNamed, textOf, findAll } from './blocks/elements.js';
import { finishInline } from './inline/finish-inline.js';
import { plainTextWithTex } from './tex-in-text.js';

/** `# Title`; undefined if there is no title, or if the page's first level 1 heading contains it. */
export function titleLine(title: string, blocks: readonly Element[], { gfm }: { readonly gfm: boolean }): string | undefined {
  const text = oneLine(title);
  if (text === '') return undefined;
  const first = firstHeading(blocks);
  if (first !== undefined && saysTheSame(text, oneLine(textOf(first)))) return undefined;
  return `# ${finishInline(plainTextWithTex(text), { gfm, place: 'heading' })}`;
}

function firstHeading(blocks: readonly Element[]): Element | undefined {
  for (const block of blocks) {
    const heading = isNamed(block, 'H1') ? block : findAll(block, 'H1')[0];
    if (heading !== undefined) return heading;
  }
  return undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Separators between a page's title and the site's name. */
const SEPARATOR = /^\s*[-–—|·•:»«/]+\s/;
const SEPARATOR_BEFORE = /\s[-–—|·•:»«/]+\s*$/;

/** The heading is the title, or the title without the site's name. */
function saysTheSame(title: string, heading: string): boolean {
  const [whole, part] = [fold(title), fold(heading)];
  if (part === '') return false;
  if (whole === part) return true;
  return (
    (whole.startsWith(part) && SEPARATOR.test(whole.slice(part.length))) ||
    (whole.endsWith(part) && SEPARATOR_BEFORE.test(whole.slice(0, -part.length)))
  );
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .toLowerCase();
}
