import { contextKey, definePlugin, type PlanDraft, readTarget } from '@platen/kernel';
import { capturesLossless } from '@platen/plugin-screenshot/keys';
import type {} from '@platen/plugin-png';
import type {} from '@platen/plugin-screenshot';
import { COMPARE_COMMAND } from './compare-command.js';
import type { RenderComparison } from './compare-render.js';
import { COMPARE_FLAGS, COMPARE_PARAMS, type CompareParams, DEFAULT_MAX_BYTES } from './params.js';

const NAME = 'compare';
const SCOPE = { param: ['compare', 'compare_url'] } as const;

const comparisonKey = contextKey<RenderComparison>('compare: comparison');

/** Compares the image with a baseline: how many pixels differ, and where. */
export default definePlugin({
  name: NAME,
  requires: ['screenshot', 'png'],
  params: COMPARE_PARAMS,
  flags: COMPARE_FLAGS,
  assets: [
    { key: 'with_diff', name: 'diff' },
    { key: 'with_comparison', name: 'comparison' },
  ],
  commands: [COMPARE_COMMAND],
  planFor: { param: Object.keys(COMPARE_PARAMS) },
  plan(draft) {
    checkBaseline(draft);
    if (draft.params.compare_url !== undefined) draft.include('png');
  },
  validatePlan({ params, captureKind, output, refuse }) {
    const key = params.compare === undefined ? 'compare_url' : 'compare';
    const hint = captureKind === 'frames' ? ' without "image_duration"' : '';
    if (captureKind !== 'screenshot' && params[key] !== undefined) {
      refuse(
        key,
        `"${key}" compares still images: the output type "${output.type}" is none; use png, jpg, webp, avif, tiff, bmp or jpegxl${hint}`,
      );
    }
  },
  apply({ hooks, outbound, options }) {
    const maxBytes = options['compare-max-bytes'] ?? DEFAULT_MAX_BYTES;
    hooks.beforeOpen.tapPromise({ name: NAME, for: SCOPE }, async (context) => {
      const [{ createRenderComparison }, { loadBaseline, renderBaseline }] = await Promise.all([
        import('./compare-render.js'),
        import('./load-baseline.js'),
      ]);
      const isPage = context.params.compare_url !== undefined;
      // A file is loaded while the page opens.
      const baseline = isPage ? Promise.resolve(await renderBaseline(context)) : loadBaseline(context, { outbound, maxBytes });
      context.set(comparisonKey, createRenderComparison(baseline));
      context.set(capturesLossless, true);
    });
    hooks.additionalAssets.tapPromise({ name: NAME, for: { asset: ['with_diff', 'with_comparison'] } }, async (context, assets) => {
      for (const asset of context.get(comparisonKey)?.assets(context.params) ?? []) await assets.add(asset);
    });
    hooks.captured.for('screenshot').tapPromise({ name: NAME, for: SCOPE }, async (capture, context) => {
      return await context.get(comparisonKey)?.begin(capture, context);
    });
    hooks.encoded.tapPromise({ name: NAME, for: SCOPE }, async (output, context) => {
      await context.get(comparisonKey)?.check(output, context);
    });
  },
});

function checkBaseline({ params, refuse }: PlanDraft<CompareParams>): void {
  const { compare, compare_url: other } = params;
  if (compare !== undefined && other !== undefined) refuse('compare_url', '"compare_url" and "compare" are mutually exclusive');
  if (compare === undefined && other === undefined) {
    const given = Object.entries(params).find(([name, value]) => name in COMPARE_PARAMS && value !== false);
    if (given !== undefined) refuse(given[0], `"${given[0]}" needs a baseline: set "compare" or "compare_url" too`);
    return;
  }
  if (other !== undefined) readTarget(other, 'compare_url');
}
