import { definePlugin, type Fragments } from '@platen/kernel';
import { archivesPages, walkKey } from '@platen/plugin-walk/keys';
import { findLinks } from './find-links.js';

const LINKS_PARAMS = {
  crawl_links: {
    type: 'boolean',
    description: 'Follow the links of each page within the registrable domain of the target, and archive those pages too.',
    default: false,
  },
  crawl_link_depth: {
    type: 'integer',
    format: 'uint32',
    description: 'Maximum number of links between the target and a page. Absent: any number.',
    minimum: 0,
    examples: [2],
  },
  crawl_link_selector: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'CSS selectors of further elements whose `href`, `src` or `data-href` is a link, or that contain links.',
    examples: [['[data-href]', 'area']],
  },
} as const satisfies Fragments;

/** Follows the links of each page of a walk. */
export default definePlugin({
  name: 'links',
  requires: ['walk'],
  params: LINKS_PARAMS,
  planFor: { param: Object.keys(LINKS_PARAMS) },
  plan(draft) {
    const { params, refuse, limitFirstPage } = draft;
    for (const key of ['crawl_link_depth', 'crawl_link_selector'] as const) {
      if (params.crawl_links !== true && params[key] !== undefined) refuse(key, `"${key}" needs "crawl_links=true"`);
    }
    if (params.crawl_links !== true) return;
    if (!archivesPages(draft)) refuse('crawl_links', '"crawl_links" needs "output_type=warc", "output_type=wacz" or "with_warc=true"');
    limitFirstPage();
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'links', for: { param: 'crawl_links' } }, (context) => {
      const { crawl_links, crawl_link_depth: maxDepth, crawl_link_selector: selectors = [] } = context.params;
      if (crawl_links !== true || context.tabIndex > 0) return;
      context.get(walkKey)?.add({ find: (page) => findLinks(page, selectors), maxDepth, staysInScope: true });
    });
  },
});
