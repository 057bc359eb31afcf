import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import modals from '@platen/plugin-modals';
import { openSite } from '../../../helpers/site.js';
import type { ModalPage } from './pages/page.js';

/** What a page looks like when it is captured. */
export interface Sight {
  /** Of each selector, whether anything that matches can be seen. */
  readonly seen: Readonly<Record<string, boolean>>;
  readonly choice: string | null;
  readonly scrolls: boolean;
}

/** Runs in the page. */
function look(selectors: readonly string[]): Omit<Sight, 'choice'> {
  const find = (selector: string): readonly Element[] => {
    const [outer = '', inner] = selector.split(' >>> ');
    const found = Array.from(document.querySelectorAll(outer));
    return inner === undefined ? found : found.flatMap(({ shadowRoot }) => Array.from(shadowRoot?.querySelectorAll(inner) ?? []));
  };
  const isSeen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const seen = Object.fromEntries(selectors.map((selector) => [selector, find(selector).some(isSeen)]));
  scrollTo({ top: 400, behavior: 'instant' });
  return { seen, scrolls: scrollY > 0 };
}

/** An output that says what of a page can be seen. */
const sight = (selectors: () => readonly string[]) =>
  definePlugin({
    name: 'sight',
    captures: [{ kind: 'pixels' }],
    outputs: [{ type: 'sight', from: 'pixels', contentType: 'application/json', extension: 'json' }],
    apply({ hooks }) {
      hooks.capture.for('pixels').tapPromise('sight', async ({ page }) => {
        const seen = await page.evaluate(look, selectors());
        return { ...seen, choice: await page.evaluateInMainWorld('window.choice ?? null') } as never;
      });
      hooks.encode.for('sight').tapPromise('sight', async (capture) => ({
        contentType: 'application/json',
        extension: 'json',
        body: Buffer.from(JSON.stringify(capture)),
      }));
    },
  });

export interface Viewer extends AsyncDisposable {
  view(page: ModalPage, params?: Readonly<Record<string, unknown>>): Promise<Sight>;
}

/** Serves pages on two hosts, and tells what is seen of them. */
export async function openViewer(): Promise<Viewer> {
  let served: ModalPage | undefined;
  const frame = () => ({ body: served?.frame ?? '' });
  const site = await openSite({
    '/': () => ({ body: (served?.html ?? '').replaceAll('{other}', site.url('', 'localhost')) }),
    '/frame': frame,
  });
  const host = createTestKernel({
    plugins: [modals, sight(() => [...(served?.gone ?? []), ...(served?.stays ?? [])])],
  });
  return {
    async view(page, params = { remove_modals: true }) {
      served = page;
      const result = await host.render({ url: site.url('/'), output_type: 'sight', ...params });
      return JSON.parse((await result.bytes()).toString()) as Sight;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
