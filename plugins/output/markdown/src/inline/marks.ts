/**
 * Inline Markdown is written twice. Turndown's rules write it with marks, which say what is meant: here emphasis begins, here a link
 * ends. Only the block knows what stands beside what, so it turns the marks into delimiters and escapes the text between them.
 * The marks are Unicode noncharacters, which no text can rightly hold.
 */
export const MARK = {
  emOpen: '\uFDD0',
  emClose: '\uFDD1',
  strongOpen: '\uFDD2',
  strongClose: '\uFDD3',
  delOpen: '\uFDD4',
  delClose: '\uFDD5',
  linkOpen: '\uFDD6',
  imageOpen: '\uFDD7',
  /** Between a link's text and the rest of it. */
  linkTarget: '\uFDD8',
  linkClose: '\uFDD9',
  codeOpen: '\uFDE2',
  codeClose: '\uFDE3',
  /** Finished Markdown, left as it is. */
  rawOpen: '\uFDDA',
  rawClose: '\uFDDB',
  /** A URL that is its own link text. */
  autoOpen: '\uFDDC',
  autoClose: '\uFDDD',
  /** TeX, with its dollars. */
  mathsOpen: '\uFDDF',
  mathsClose: '\uFDE0',
  /** Nothing. At both ends of a text it keeps Turndown from moving the blanks there, which it does without a look at what else is in the element. */
  guard: '\uFDE1',
  lineBreak: '\uFDDE',
} as const;

const NONCHARACTERS = /[\uFDD0-\uFDEF]/g;

/** Text of a page, in which nothing can be taken for a mark. */
export function plainText(text: string): string {
  return text.replace(NONCHARACTERS, '\uFFFD');
}

/** Whether there is anything but blanks between the marks. */
export function isSeen(marked: string): boolean {
  return marked.replaceAll(MARK.guard, '').replaceAll(MARK.lineBreak, '').trim() !== '';
}

export function raw(markdown: string): string {
  return `${MARK.rawOpen}${markdown}${MARK.rawClose}`;
}
