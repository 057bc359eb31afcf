import { definePlugin, type Fragments, type RenderContext } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import { archivesPages, walkKey } from '@platen/plugin-walk/keys';

const LINKS_PARAMS = {
  crawl_links: {
    type: 'boolean',
    description: 'Follow the links of each page within the registrable domain of the target, and archive those pages too.',
    default: false,
    'x-search': ['archive', 'crawl a whole site', 'mirror'],
  },
  crawl_link_depth: {
    type: 'integer',
    format: 'uint32',
    description: 'Maximum number of links between the target and a page. Absent: any number.',
    minimum: 0,
    examples: [2],
    'x-synonyms': { depth: true, max_depth: true },
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
    if (!archivesPages(draft))
      refuse('crawl_links', '"crawl_links" needs "output_type=warc", "output_type=wacz", "output_type=jsonl" or "with_warc=true"');
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

/** For a response of one frame, which may hang. */
const FRAME_MS = 3000;

/** The links of a page, of its frames and of open shadow trees, absolute, each once. Frames that do not respond have none. */
export async function findLinks({ page }: RenderContext, selectors: readonly string[]): Promise<readonly string[]> {
  const found = await page.inEveryFrame(({ evaluate }) => evaluate(listLinks, selectors), { timeoutMs: FRAME_MS });
  return [...new Set(found.flat())];
}

/** Runs in the page. */
const listLinks = withFlatTree((tree, selectors: readonly string[]): string[] => {
  const absolute = (text: string | null): string[] => {
    try {
      return text === null || text.trim() === '' ? [] : [new URL(text, document.baseURI).href];
    } catch {
      return [];
    }
  };
  const linkOf = (element: Element) => ['href', 'src', 'data-href'].flatMap((name) => absolute(element.getAttribute(name)));
  const matches = (root: ParentNode, selector: string): Element[] => {
    try {
      return [...root.querySelectorAll(selector)];
    } catch {
      return [];
    }
  };
  const roots = tree.trees<ParentNode>(document);
  const plain = roots.flatMap((root) => matches(root, 'a[href], area[href]'));
  const chosen = roots.flatMap((root) => selectors.flatMap((selector) => matches(root, selector)));
  const inner = chosen.flatMap((element) => matches(element, 'a[href]'));
  return [...new Set([...plain, ...chosen, ...inner].flatMap(linkOf))];
});
