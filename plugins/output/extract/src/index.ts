import { definePlugin, invalidParameter, type RenderContext } from '@platen/kernel';
import { findInvalidSelector } from '@platen/lib-page-functions';
import { EXTRACT_PARAMS, type ExtractParams } from './params.js';
import { listRules, parseRules } from './rule.js';

export type { ExtractParams } from './params.js';

declare module '@platen/kernel' {
  interface CaptureKinds {
    extraction: object;
  }
}

const TYPE = 'json';
const KEYS = ['extract', 'extract_metadata', 'extract_links', 'extract_script'] as const;

/** Values of elements, metadata and links of the page as JSON. */
export default definePlugin({
  name: 'extract',
  // A script of the request may change the page: what only reads it comes first.
  captures: [{ kind: 'extraction', combines: 'moving' }],
  outputs: [{ type: TYPE, from: 'extraction', contentType: 'application/json', extension: 'json', defaultFor: KEYS }],
  params: EXTRACT_PARAMS,
  planFor: { output: TYPE, param: KEYS },
  plan({ params, outputs, refuse, disableRetry }) {
    if (params.extract !== undefined) parseRules(params.extract);
    if (params.extract_script !== undefined) disableRetry('script');
    if (outputs.some(({ type }) => type === TYPE) && KEYS.every((key) => params[key] === undefined || params[key] === false))
      refuse('output_type', `"output_type=${TYPE}" needs at least one of: ${KEYS.join(', ')}`);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise({ name: 'extract', for: { param: 'extract' } }, async (context) => {
      if (context.tabIndex === 0) await checkSelectors(context);
    });
    hooks.capture.for('extraction').tapPromise('extract', async (context) => {
      // Loaded by the first render that asks for it.
      const { extractPage } = await import('./extract-page.js');
      return extractPage(context);
    });
    hooks.encode.for(TYPE).tap('extract', (data) => ({ body: Buffer.from(`${JSON.stringify(data, null, 2)}\n`) }));
  },
});

/** By the browser, before the page is loaded: whether a selector is valid does not depend on the page. */
async function checkSelectors({ page, params: { extract } }: RenderContext<ExtractParams>): Promise<void> {
  if (extract === undefined) return;
  const rules = listRules(parseRules(extract));
  const selectors = rules.map(({ selector }) => selector);
  const wrong = rules[await page.evaluate(findInvalidSelector, selectors)];
  if (wrong !== undefined) throw invalidParameter('extract', `"${wrong.place}" is not a valid CSS selector: ${wrong.selector}`);
}
