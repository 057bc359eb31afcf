import type { Box } from './document.js';
import type { DraftedFrame } from './draft.js';

type Seen = Pick<DraftedFrame, 'placed' | 'visibility' | 'actions'>;

/**
 * Texts that a user sees although they are hidden from assistive technology, such as a price whose spoken form is off the screen. Those of a
 * block or of a usable element are one, by the index of the first one.
 */
export function findShownTexts({ placed: { document }, visibility: { content }, actions }: Seen): ReadonlyMap<number, string> {
  const homes: (number | undefined)[] = [];
  const runs = new Map<number, { readonly first: number; text: string }>();
  for (const { index, parent, kind, attributes, box } of document.nodes) {
    const above = homes[parent];
    const isOwn = kind === 'element' && (box?.style.inline === false || actions.has(index));
    const home = (above === undefined ? attributes.get('aria-hidden') === 'true' : isOwn) ? index : above;
    homes[index] = home;
    if (home === undefined || box === undefined || kind !== 'text' || !content.has(index) || isLigature(box)) continue;
    const run = runs.get(home) ?? { first: index, text: '' };
    runs.set(home, { ...run, text: run.text + box.text });
  }
  const told = [...runs.values()].filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return new Map(told.map(({ first, text }) => [first, text.replace(/\s+/g, ' ').trim()]));
}

/** The name of an icon in an icon font, which draws it as a square. */
function isLigature({ text, bounds, style, zoom }: Box): boolean {
  const size = style.fontSize * zoom;
  return /^\s*[a-z]\w{2,}\s*$/.test(text) && Math.abs(bounds.width - size) <= size / 50;
}
