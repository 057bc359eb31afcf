import { listFrames, openIsolatedFrameWorld, type RenderContext, type TargetSession } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';

/** For a response of one frame, which may hang. */
const FRAME_MS = 3000;

/** The links of a page, of its frames and of open shadow trees, absolute, each once. Frames that do not respond have none. */
export async function findLinks({ page }: RenderContext, selectors: readonly string[]): Promise<readonly string[]> {
  const sessions = page.targets.all.filter(({ kind, primary }) => primary || kind === 'iframe');
  const found = await Promise.all(sessions.map((session) => findInSession(session, selectors)));
  return [...new Set(found.flat())];
}

async function findInSession(session: TargetSession, selectors: readonly string[]): Promise<readonly string[]> {
  const frames = await listFrames(session, FRAME_MS).catch(() => []);
  const found = await Promise.all(
    frames
      .map(async (frameId) => {
        const world = await openIsolatedFrameWorld(session, frameId, { timeoutMs: FRAME_MS });
        return world.evaluate(listLinks, selectors);
      })
      .map((one) => one.catch(() => [])),
  );
  return found.flat();
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
