import { type AssetCollector, definePlugin, type Fragments, type InferParams, type RenderContext, Stage } from '@platen/kernel';
import type { NetworkParams } from '@platen/plugin-network';
import { networkKey } from '@platen/plugin-network/keys';
import { walkKey } from '@platen/plugin-walk/keys';
import { archiveRecord, archiveWalk, archivingKey, readIndex, spoolWalk, startArchiving } from './archive.js';

const WARC_PARAMS = {
  with_warc: {
    type: 'boolean',
    description: 'Return the network traffic of the render as an additional asset, in the WARC 1.1 format.',
    default: false,
    'x-search': ['archive', 'web archive'],
  },
  with_archive_cdx: {
    type: 'boolean',
    description: 'Return a CDXJ index of the WARC as an additional asset. Requires output_type=warc or with_warc.',
    default: false,
  },
  warc_captures_navigation: {
    type: 'boolean',
    description: 'Include every visited page in the WARC. By default it contains the final page and the redirects to it.',
    default: false,
  },
} as const satisfies Fragments;

type Context = RenderContext<InferParams<typeof WARC_PARAMS> & NetworkParams>;

const TYPE = 'warc';
const WARC = 'with_warc';
const INDEX = 'with_archive_cdx';
const FORM = { contentType: 'application/warc', extension: 'warc.gz' } as const;
const INDEX_FORM = { contentType: 'text/x-cdxj', extension: 'cdxj' } as const;

/** The pages of a render in the WARC 1.1 format, as the main output or as an additional one, and an index of them. */
export default definePlugin({
  name: 'warc',
  requires: ['network', 'walk'],
  outputs: [{ type: TYPE, from: 'walk', ...FORM, endings: ['warc'] }],
  assets: [
    { key: WARC, name: 'warc', from: 'walk' },
    { key: INDEX, name: 'archive_cdx' },
  ],
  params: WARC_PARAMS,
  planFor: { asset: [WARC, INDEX] },
  plan({ params, output, refuse }) {
    const isOutput = output.type === TYPE;
    if (isOutput && params.with_warc === true)
      refuse(WARC, `"${WARC}" is for other output types: "output_type=${TYPE}" is the WARC itself`);
    if (params.with_archive_cdx === true && !isOutput && params.with_warc !== true)
      refuse(INDEX, `"${INDEX}" requires "output_type=${TYPE}" or "${WARC}=true"`);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'warc', for: { output: TYPE, asset: WARC } }, (context) => {
      // The pages of further tabs are in the archive of the first.
      if (context.tabIndex === 0) context.set(archivingKey, startArchiving(context));
    });
    hooks.beforeNavigate.tap({ name: 'warc', for: { param: 'warc_captures_navigation' } }, (context) => {
      if (context.params.warc_captures_navigation === true) context.get(walkKey)?.includeNavigation();
    });
    // Recorders run before hooks that query the page: an unresponsive page does not delay them.
    hooks.additionalAssets.tapPromise(
      { name: 'warc', stage: Stage.early, for: { asset: [WARC, INDEX] } },
      async (context: Context, assets) => {
        if (context.params.with_warc === true) await addWarc(context, assets);
        // It is created after the WARC: after the encoder's, or after the asset before it.
        if (context.params.with_archive_cdx === true)
          await assets.add({ name: 'archive_cdx', ...INDEX_FORM, forViewers: true, body: () => readIndex(context) });
      },
    );
    hooks.encode.for(TYPE).tapPromise('warc', async (walk, context) => ({ body: await archiveWalk(walk, context) }));
  },
});

/** Further pages are visited while the browser is still open, and only if the render itself has succeeded. */
async function addWarc(context: Context, assets: AssetCollector): Promise<void> {
  const asset = { name: 'warc', ...FORM, forViewers: true } as const;
  const sources = context.get(walkKey);
  if (!assets.isAfterFailure() && sources?.isWalk === true) {
    await assets.add({ ...asset, body: await spoolWalk(await sources.open(context), context) });
    return;
  }
  const record = await context.get(networkKey)?.stop();
  if (record) await assets.add({ ...asset, body: () => archiveRecord(record, context) });
}
