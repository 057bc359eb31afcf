import { setImmediate } from 'node:timers/promises';
import { PlatenError, type RenderContext } from '@platen/kernel';
import { redactionKey } from '@platen/lib-redaction';
import { readPage } from './in-page/index.js';
import { type ExtractionRequest, extractionRequest } from './keys.js';
import type { ExtractParams } from './params.js';
import { parseRules } from './rule.js';
import { runScript } from './run-script.js';

/** The members that the request asks for. */
function requestOf({ extract, extract_metadata, extract_links, extract_script }: ExtractParams): ExtractionRequest {
  return {
    extract: extract !== undefined,
    metadata: extract_metadata === true,
    links: extract_links === true,
    script: extract_script !== undefined,
  };
}

/**
 * The data of the page.
 *
 * @throws PlatenError `selector_not_found` for a required element that is missing, `script_failed`
 */
export async function extractPage(context: RenderContext<ExtractParams>): Promise<object> {
  const { page, params, get, signal } = context;
  const { extract, metadata, links, script } = get(extractionRequest) ?? requestOf(params);
  context.setWaitReason('the data of the page');
  const rules = extract && params.extract !== undefined ? parseRules(params.extract) : null;
  const read = await page.evaluate(readPage, { rules, metadata, links });
  if ('missing' in read) throw new PlatenError('selector_not_found', `"${read.missing}" is required, but the page has no value for it`);
  // Only rules mark HTML: other members are what the page says.
  const { extract: values, ...others }: { readonly extract?: object } = read.data;
  const data = { ...(values !== undefined && { extract: await convertMarked(values, signal) }), ...others };
  const all = script && params.extract_script !== undefined ? { ...data, script: await runScript(context, params.extract_script) } : data;
  const redaction = get(redactionKey);
  // Without secrets that were filled in, and that the page shows.
  return redaction === undefined ? all : mapTexts(all, (text) => redaction.text(text));
}

/** HTML that a rule has marked becomes Markdown. */
async function convertMarked(data: object, signal: AbortSignal): Promise<object> {
  const marked: string[] = [];
  const find = (_: string, value: unknown) => {
    if (isMarked(value)) marked.push(value.platenHtml);
    return value;
  };
  JSON.stringify(data, find);
  if (marked.length === 0) return data;
  // Loaded by the first rule that asks for it.
  const { convertHtml } = await import('@platen/lib-markdown');
  const converted = new Map<string, string>();
  for (const html of new Set(marked)) {
    // Short HTML is converted on the event loop.
    await setImmediate(undefined, { signal });
    converted.set(html, (await convertHtml({ html, format: 'gfm' }, signal)).trim());
  }
  // An object stays one.
  return JSON.parse(JSON.stringify(data, (_, value: unknown) => (isMarked(value) ? converted.get(value.platenHtml) : value))) as object;
}

function isMarked(value: unknown): value is { readonly platenHtml: string } {
  return typeof value === 'object' && value !== null && 'platenHtml' in value && typeof value.platenHtml === 'string';
}

function mapTexts(data: object, map: (text: string) => string): object {
  // An object stays one.
  return JSON.parse(JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? map(value) : value))) as object;
}
