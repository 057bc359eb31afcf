import { definePlugin, type EncodeContext, type Fragments, type InferParams, Stage } from '@platen/kernel';
import { networkKey } from '@platen/plugin-network/keys';
import { type HarContent, openHar } from './write-har.js';

const HAR_PARAMS = {
  with_har: {
    type: 'boolean',
    description: 'Return the network traffic of the render as an additional asset, in the HAR 1.2 format.',
    default: false,
    'x-search': ['waterfall', 'network requests', 'slow page'],
  },
  har_capture_bodies: {
    type: 'boolean',
    description: 'Include response bodies in the HAR. By default they are included in the output, and not in the additional asset.',
  },
  har_captures_navigation: {
    type: 'boolean',
    description: 'Include every visited page in the HAR. By default it contains the final page and the redirects to it.',
    default: false,
  },
} as const satisfies Fragments;

const TYPE = 'har';
const KEY = 'with_har';
const FORM = { contentType: 'application/json', extension: 'har' } as const;

/** The page's network traffic in the HAR 1.2 format, as the main output or as an additional one. */
export default definePlugin({
  name: 'har',
  requires: ['network'],
  outputs: [{ type: TYPE, from: 'network', ...FORM }],
  assets: [{ key: KEY, name: 'har' }],
  params: HAR_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'har', for: { output: TYPE, asset: KEY } }, (context) => {
      const isAsset = context.params.with_har === true && context.plan.output.type !== TYPE;
      const { bodies } = contentOf(context, isAsset ? 'asset' : 'output');
      context.get(networkKey)?.want({ bodies });
    });
    // Recorders run before hooks that query the page: an unresponsive page does not delay them.
    hooks.additionalAssets.tapPromise({ name: 'har', stage: Stage.early, for: { asset: KEY } }, async (context, assets) => {
      const record = await context.get(networkKey)?.stop();
      if (record) await assets.add({ name: 'har', ...FORM, forViewers: true, body: () => openHar(record, contentOf(context, 'asset')) });
    });
    hooks.encode.for(TYPE).tap('har', (record, context) => ({ body: openHar(record, contentOf(context, 'output')) }));
  },
});

/** By default, a HAR contains bodies as the main output but not as an additional one (the interface specification, HAR parameters). */
function contentOf({ params, clock }: Pick<EncodeContext<HarParams>, 'params' | 'clock'>, as: 'output' | 'asset'): HarContent {
  const { har_capture_bodies: bodies = as === 'output', har_captures_navigation } = params;
  return { visits: har_captures_navigation === true ? 'all' : 'last', bodies, ...(clock.isFrozen ? { date: clock.now() } : {}) };
}

type HarParams = InferParams<typeof HAR_PARAMS>;
