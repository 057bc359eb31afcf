import { definePlugin, type Fragments, type InferParams, invalidParameter, type RenderContext, Stage } from '@platen/kernel';
import { findInvalidSelector } from '@platen/lib-page-functions';
import { paintBoxes } from './in-page/index.js';

/** Milliseconds for a response of a frame, which may hang. */
const FRAME_MS = 2000;
const DEFAULT_COLOR = '#ff00ff';

const MASK_PARAMS = {
  mask: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 4096 },
    maxItems: 100,
    'x-single': true,
    'x-extension': true,
    description: 'CSS selectors of elements over which a box is painted, in frames too. Only for still images.',
    examples: [['.ad', '#clock']],
    'x-synonyms': { mask_selector: true, mask_selectors: true, ignore_selector: true, ignore_regions: true },
    'x-search': ['visual test', 'redact', 'blur'],
  },
  mask_color: {
    type: 'string',
    'x-extension': true,
    description: `Color of the boxes of "mask". Default: ${DEFAULT_COLOR}.`,
    pattern: '^#[0-9a-fA-F]{6}$',
    'x-expects': 'a hexadecimal color such as #ff00ff',
    examples: ['#000000'],
  },
} as const satisfies Fragments;

type MaskParams = InferParams<typeof MASK_PARAMS>;

const SCOPE = { name: 'mask', for: { param: 'mask' } } as const;

/** Covers parts of a still picture that change each time. */
export default definePlugin({
  name: 'mask',
  params: MASK_PARAMS,
  planFor: { param: ['mask', 'mask_color'] },
  plan({ params, refuse }) {
    if (params.mask === undefined) refuse('mask_color', '"mask_color" needs "mask"');
  },
  validatePlan({ captureKind, output, refuse }) {
    if (captureKind !== 'screenshot') refuse('mask', `"mask" is for still images: "output_type" is "${output.type}"`);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise(SCOPE, checkSelectors);
    hooks.beforeCapture.tapPromise({ ...SCOPE, stage: Stage.last }, async ({ page, params }) => {
      const { mask = [], mask_color: color = DEFAULT_COLOR } = params;
      const paint = { selectors: mask, color };
      await page.inEveryFrame(({ evaluate }) => evaluate(paintBoxes, paint), { timeoutMs: FRAME_MS, evaluateMs: FRAME_MS });
    });
  },
});

async function checkSelectors({ page, params: { mask = [] } }: RenderContext<MaskParams>): Promise<void> {
  const selector = mask[await page.evaluate(findInvalidSelector, mask)];
  if (selector !== undefined) throw invalidParameter('mask', `"mask" is not a valid CSS selector: ${selector}`);
}
