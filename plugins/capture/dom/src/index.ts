import { definePlugin, type RenderContext } from '@platen/kernel';
import { redactionKey } from '@platen/lib-redaction';
import { captureArticle, escapeText } from './capture-article.js';
import { captureContent } from './capture-content.js';
import type { DomCapture } from './capture-kinds.js';
import { evaluateWithoutTimeout } from './frame-world.js';
import { readDocument } from './in-page/index.js';
import { domRequest } from './keys.js';
import { DOM_PARAMS, type DomParams } from './params.js';
import { collectText, PIECE } from './pieces.js';

// The keys `contentRequest` and `domRequest` are imported from `@platen/plugin-dom/keys`: plugins import each other's types and keys, never code.
export type { ContentCapture, ContentImage, ContentRequest, DomCapture, DomRequest } from './capture-kinds.js';

export default definePlugin({
  name: 'dom',
  captures: [
    { kind: 'dom', combines: 'reading' },
    { kind: 'content', combines: 'reading' },
  ],
  params: DOM_PARAMS,
  apply({ hooks }) {
    hooks.capture
      .for('dom')
      .tapPromise('dom', async (context) => redact((await articleDocument(context)) ?? (await captureDom(context)), context));
    hooks.capture.for('content').tapPromise('dom', async (context) => redact(await captureContent(context), context));
  },
});

/** The article as a document, if the request asks for it and the page has one. */
async function articleDocument(context: RenderContext<DomParams>): Promise<DomCapture | undefined> {
  const article = await captureArticle(context);
  if (article === undefined) return undefined;
  const { title, lang, dir, html } = article;
  const attributes = Object.entries({ lang, dir }).map(([name, value]) => (value === '' ? '' : ` ${name}="${escapeText(value)}"`));
  const head = `<head><meta charset="utf-8"><title>${escapeText(title)}</title></head>`;
  return { ...article, html: `<!DOCTYPE html><html${attributes.join('')}>${head}<body>${html}</body></html>` };
}

/** Without secrets that were filled in, and that the page shows. */
function redact<T extends DomCapture>(capture: T, { get }: Pick<RenderContext, 'get'>): T {
  const redaction = get(redactionKey);
  if (redaction === undefined) return capture;
  const { url, title, html } = capture;
  return { ...capture, url: redaction.text(url), title: redaction.text(title), html: redaction.text(html) };
}

/** The live document as HTML, in UTF-16 code units. A large document is fetched in pieces. */
async function captureDom(context: RenderContext): Promise<DomCapture> {
  const { page } = context;
  const { inert = false } = context.get(domRequest) ?? {};
  context.setWaitReason('the document');
  const { url, title, lang, piece } = await evaluateWithoutTimeout(page, readDocument, { most: PIECE, inert });
  return { url, title, lang, html: await collectText(page, piece) };
}
