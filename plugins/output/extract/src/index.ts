import { definePlugin } from '@platen/kernel';
import { EXTRACT_PARAMS } from './params.js';
import { parseRules } from './rule.js';

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
    hooks.capture.for('extraction').tapPromise('extract', async (context) => {
      // Loaded by the first render that asks for it.
      const { extractPage } = await import('./extract-page.js');
      return extractPage(context);
    });
    hooks.encode.for(TYPE).tap('extract', (data) => ({ body: Buffer.from(`${JSON.stringify(data, null, 2)}\n`) }));
  },
});
