/**
 * Inline Markdown is written in two passes. Turndown's rules write marks that state the intent: emphasis begins here, a link ends here.
 * Only the block knows the neighbors, so it converts the marks to delimiters and escapes the text between them. The marks are Unicode
 * noncharacters, which no valid text contains.
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
  /** Between a link's text and the rest of the link. */
  linkTarget: '\uFDD8',
  linkClose: '\uFDD9',
  codeOpen: '\uFDE2',
  codeClose: '\uFDE3',
  /** Finished Markdown, unchanged. */
  rawOpen: '\uFDDA',
  rawClose: '\uFDDB',
  /** A URL that is its own link text. */
  autoOpen: '\uFDDC',
  autoClose: '\uFDDD',
  /** TeX, including its dollars. */
  mathsOpen: '\uFDDF',
  mathsClose: '\uFDE0',
  /**
   * Empty. At both ends of a text it prevents Turndown from moving spaces there, which it does without regard to the element's other
   * content.
   */
  guard: '\uFDE1',
  lineBreak: '\uFDDE',
} as const;

const NONCHARACTERS = /[\uFDD0-\uFDEF]/g;

/** Text of a page without characters that could be read as marks. */
export function plainText(text: string): string {
  return text.replace(NONCHARACTERS, '\uFFFD');
}

/** Whether there is anything but white space between the marks. */
export function isSeen(marked: string): boolean {
  return marked.replaceAll(MARK.guard, '').replaceAll(MARK.lineBreak, '').trim() !== '';
}

export function raw(markdown: string): string {
  return `${MARK.rawOpen}${markdown}${MARK.rawClose}`;
}
