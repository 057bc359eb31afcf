import { definePlugin, outboundOf, type RenderContext } from '@platen/kernel';
import { firstTabKey, networkKey } from '@platen/plugin-network/keys';
import { archivesPages, walkKey } from './keys.js';
import { createSources } from './open-walk.js';
import { WALK_PARAMS } from './params.js';
import { fileTakerKey, takeFiles } from './take-files.js';

export type * from './walk.js';

/** Records the target's page, and those that it or a list leads to. */
export default definePlugin({
  name: 'walk',
  requires: ['network'],
  captures: [{ kind: 'walk', streaming: true, spansDocuments: true, recordsLoading: true }],
  params: WALK_PARAMS,
  planFor: { param: 'crawl_page_timeout' },
  plan(draft) {
    if (archivesPages(draft)) draft.limitFirstPage(draft.params.crawl_page_timeout);
  },
  apply({ hooks, outbound }) {
    const own = { name: 'walk', for: { capture: 'walk' } } as const;
    hooks.beforeOpen.tap(own, (context) => {
      // It runs for each page, the sources are those of the render.
      if (context.get(walkKey) !== undefined) return;
      context.set(walkKey, createSources(context, outboundOf(context, outbound)));
      context.set(firstTabKey, { targets: undefined });
    });
    hooks.beforeNavigate.tap(own, (context) => {
      context.get(networkKey)?.want({ bodies: context.get(walkKey)?.readsPages !== true });
    });
    hooks.beforeNavigate.tapPromise(own, async (context: RenderContext) => {
      // Tabs of a crawl: a target that is a file is an error.
      if (context.tabIndex > 0) context.set(fileTakerKey, await takeFiles(context));
    });
    hooks.capture.for('walk').tapPromise('walk', async (context) => context.get(walkKey)?.open(context));
  },
});
