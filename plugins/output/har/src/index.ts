import { definePlugin, Stage } from '@platen/kernel';
import { networkKey } from '@platen/plugin-network/keys';
import { HAR_PARAMS, type HarParams } from './params.js';
import { openHar, type HarContent } from './write-har.js';

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
      const { bodies } = contentOf(context.params, context.plan.output.type === TYPE ? 'output' : 'asset');
      context.get(networkKey)?.want({ bodies });
    });
    // Recorders run before hooks that query the page: an unresponsive page does not delay them.
    hooks.additionalAssets.tapPromise({ name: 'har', stage: Stage.early, for: { asset: KEY } }, async (context, assets) => {
      const record = await context.get(networkKey)?.stop();
      if (record)
        await assets.add({ name: 'har', ...FORM, forViewers: true, body: () => openHar(record, contentOf(context.params, 'asset')) });
    });
    hooks.encode.for(TYPE).tap('har', (record, { params }) => ({ ...FORM, body: openHar(record, contentOf(params, 'output')) }));
  },
});

/** By default, a HAR contains bodies as the main output but not as an additional one (the interface specification, HAR parameters). */
function contentOf({ har_capture_bodies, har_captures_navigation }: HarParams, as: 'output' | 'asset'): HarContent {
  return { visits: har_captures_navigation === true ? 'all' : 'last', bodies: har_capture_bodies ?? as === 'output' };
}
