import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import modals from '@platen/plugin-modals';
import { openSite } from '../../../helpers/site.js';
import type { ModalPage } from './pages/page.js';

/** What a page looks like when it is captured. */
export interface PageView {
  /** Of each selector, whether anything that matches can be seen. */
  readonly seen: Readonly<Record<string, boolean>>;
  readonly choice: string | null;
  readonly scrolls: boolean;
}

/** Runs in the page. */
function look(selectors: readonly string[]): Omit<PageView, 'choice'> {
  const find = (selector: string): readonly Element[] => {
    const [outer = '', inner] = selector.split(' >>> ');
    const found = Array.from(document.querySelectorAll(outer));
    return inner === undefined ? found : found.flatMap(({ shadowRoot }) => Array.from(shadowRoot?.querySelectorAll(inner) ?? []));
  };
  const cuts = (outer: Element, { top, bottom, left, right }: DOMRect): boolean => {
    const { overflowX, overflowY, filter } = getComputedStyle(outer);
    const box = outer.getBoundingClientRect();
    const down = /hidden|clip/.test(overflowY) && (top >= box.bottom || bottom <= box.top);
    const across = /hidden|clip/.test(overflowX) && (left >= box.right || right <= box.left);
    return down || across || filter.includes('blur');
  };
  const isSeen = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let outer = element.parentElement; outer !== null && outer !== document.body; outer = outer.parentElement) {
      if (cuts(outer, box)) return false;
      if (getComputedStyle(outer).position === 'fixed') break;
    }
    return !getComputedStyle(element).filter.includes('blur');
  };
  const seen = Object.fromEntries(selectors.map((selector) => [selector, find(selector).some(isSeen)]));
  scrollTo({ top: 400, behavior: 'instant' });
  return { seen, scrolls: scrollY > 0 };
}

/** An output that says what of a page can be seen. */
const viewPlugin = (pageAt: (url: string) => ModalPage | undefined) =>
  definePlugin({
    name: 'view',
    captures: [{ kind: 'screenshot' }],
    outputs: [{ type: 'view', from: 'screenshot', contentType: 'application/json', extension: 'json' }],
    apply({ hooks }) {
      hooks.capture.for('screenshot').tapPromise('view', async ({ page }) => {
        const { gone = [], stays = [] } = pageAt(await page.evaluate(() => location.href)) ?? {};
        const seen = await page.evaluate(look, [...gone, ...stays]);
        return { ...seen, choice: await page.evaluateInMainWorld('window.choice ?? null') } as never;
      });
      hooks.encode.for('view').tapPromise('view', async (capture) => ({
        contentType: 'application/json',
        extension: 'json',
        body: Buffer.from(JSON.stringify(capture)),
      }));
    },
  });

export interface Viewer extends AsyncDisposable {
  view(page: ModalPage, params?: Readonly<Record<string, unknown>>): Promise<PageView>;
}

/** Serves pages on two hosts, and tells what is seen of them; several at once. */
export async function openViewer(): Promise<Viewer> {
  const served: ModalPage[] = [];
  const pageAt = (url = '/') => served[Number(new URL(url, 'http://site').searchParams.get('page'))];
  const site = await openSite({
    '/': ({ url }) => {
      const frame = `/frame${new URL(url ?? '', 'http://site').search}`;
      const html = pageAt(url)?.html ?? '';
      return {
        body: html
          .replaceAll('{other}/frame?', '{other}/frame&')
          .replaceAll('{other}/frame', site.url(frame, 'localhost'))
          .replaceAll('"/frame"', `"${frame}"`),
      };
    },
    '/frame': ({ url }) => ({ body: pageAt(url)?.frame ?? '' }),
  });
  const host = createTestKernel({ plugins: [modals, viewPlugin(pageAt)] });
  return {
    async view(page, params = { remove_modals: true }) {
      const at = served.push(page) - 1;
      const result = await host.render({ url: site.url(`/?page=${String(at)}`), output_type: 'view', ...params });
      return JSON.parse((await result.bytes()).toString()) as PageView;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
