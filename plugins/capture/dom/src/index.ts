import { definePlugin, type RenderContext } from '@platen/kernel';
import { redactionKey } from '@platen/lib-redaction';
import { captureContent } from './capture-content.js';
import { captureDom } from './capture-dom.js';
import type { DomCapture } from './capture-kinds.js';

// The keys `contentRequest` and `domRequest` are imported from `@platen/plugin-dom/keys`: plugins import each other's types and keys, never code.
export type { ContentCapture, ContentImage, ContentRequest, DomCapture, DomRequest } from './capture-kinds.js';

export default definePlugin({
  name: 'dom',
  captures: [{ kind: 'dom' }, { kind: 'content' }],
  apply({ hooks }) {
    hooks.capture.for('dom').tapPromise('dom', async (context) => redact(await captureDom(context), context));
    hooks.capture.for('content').tapPromise('dom', async (context) => redact(await captureContent(context), context));
  },
});

/** Without secrets that were filled in, and that the page shows. */
function redact<T extends DomCapture>(capture: T, { get }: Pick<RenderContext, 'get'>): T {
  const redaction = get(redactionKey);
  if (redaction === undefined) return capture;
  const { url, title, html } = capture;
  return { ...capture, url: redaction.text(url), title: redaction.text(title), html: redaction.text(html) };
}
