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
  captures: [{ kind: 'extraction', combines: 'reading' }],
  outputs: [{ type: TYPE, from: 'extraction', contentType: 'application/json', extension: 'json', defaultFor: KEYS }],
  params: EXTRACT_PARAMS,
  planFor: { output: TYPE, param: KEYS },
  plan({ params, output, assets, refuse, disableRetry }) {
    if (params.extract !== undefined) parseRules(params.extract);
    if (params.extract_script !== undefined) disableRetry('script');
    if (KEYS.some((key) => params[key] !== undefined && params[key] !== false)) return;
    const needs = `needs at least one of: ${KEYS.join(', ')}`;
    if (output.type === TYPE) refuse('output_type', `"output_type=${TYPE}" ${needs}`);
    const isFurther = assets.some(({ further }) => further?.output.type === TYPE);
    if (isFurther) refuse('with_output', `"with_output=${TYPE}" ${needs}`);
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
