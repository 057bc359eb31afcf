import { contextKey, definePlugin, type Fragments, KERNEL_VERSION, type Page, Stage } from '@platen/kernel';
import { redactionOf } from '@platen/lib-redaction';
import { describeParams } from './describe-params.js';
import { readFonts, type UsedFont } from './read-fonts.js';
import { writeManifest } from './write-manifest.js';

const MANIFEST_PARAMS = {
  with_manifest: {
    type: 'boolean',
    description:
      'Return what the render was made of as an additional asset: a JSON object with the parameters without secrets, versions, fonts, connections, and SHA-256 digests of the output and of the assets. The response begins when the output is complete.',
    default: false,
    'x-extension': true,
    'x-search': ['reproducible', 'provenance', 'digest', 'sha256', 'checksum'],
  },
} as const satisfies Fragments;

const KEY = 'with_manifest';
const startKey = contextKey<Date>('manifest: start');
const fontsKey = contextKey<readonly UsedFont[] | null>('manifest: fonts');

/** What went into a render, and digests of what came out. */
export default definePlugin({
  name: 'manifest',
  assets: [{ key: KEY, name: 'manifest', ofOutput: true }],
  params: MANIFEST_PARAMS,
  apply({ hooks, plugins }) {
    hooks.beforeOpen.tap({ name: 'manifest', for: { asset: KEY } }, (context) => {
      // The further pages of a walk are opened later.
      if (context.get(startKey) === undefined) context.set(startKey, new Date());
    });
    hooks.beforeCapture.tapPromise({ name: 'manifest', stage: Stage.last, for: { asset: KEY } }, async (context) => {
      // The page does not respond while its time is paused.
      if (context.plan.capture.pausesVirtualTime === true) context.set(fontsKey, await readFonts(context.page));
    });
    // After all others, which it may delay.
    hooks.additionalAssets.tapPromise({ name: 'manifest', stage: Stage.last, for: { asset: KEY } }, async (context, assets) => {
      const { page, plan } = context;
      const known = context.get(fontsKey);
      const [fonts, browser] = await Promise.all([known === undefined ? readFonts(page) : known, readBrowserVersion(page)]);
      const versions = {
        ...{ platen: KERNEL_VERSION, node: process.versions.node, browser },
        ...{ platform: process.platform, architecture: process.arch },
        plugins: Object.fromEntries(plugins.map(({ definition: { name }, version }) => [name, version])),
      };
      await assets.add({
        ...{ name: 'manifest', contentType: 'application/json', extension: 'manifest.json' },
        body(made) {
          const facts = { time: context.get(startKey), parameters: describeParams(plan, plugins, redactionOf(context, plugins)) };
          return writeManifest({ ...facts, versions, fonts }, context, made);
        },
      });
    });
  },
});

async function readBrowserVersion(page: Pick<Page, 'send'>): Promise<string | null> {
  return page.send('Browser.getVersion').then(
    ({ product }) => product,
    () => null,
  );
}
