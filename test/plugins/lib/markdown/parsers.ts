import { HtmlRenderer, Parser } from 'commonmark';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** The reference implementation of CommonMark 0.31.2. */
export function fromCommonMark(markdown: string): string {
  return new HtmlRenderer().render(new Parser().parse(markdown));
}

/** GitHub Flavored Markdown, by a parser that has nothing in common with the first. */
export function fromGfm(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}
