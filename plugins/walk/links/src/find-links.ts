import type { RenderContext } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';

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
