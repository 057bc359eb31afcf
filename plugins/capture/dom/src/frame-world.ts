import { openIsolatedFrameWorld, type Page } from '@platen/kernel';

/** For as long as the render lasts: a large document takes long. */
export const NO_TIMEOUT = { evaluateMs: Infinity } as const;

/** In the main frame. If the document is replaced meanwhile, the page object follows the navigation. */
export async function evaluateWithoutTimeout<A extends readonly unknown[], R>(
  page: Page,
  fn: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  try {
    const { evaluate } = await openIsolatedFrameWorld(page, page.mainFrameId, NO_TIMEOUT);
    return await evaluate(fn, ...args);
  } catch {
    return page.evaluate(fn, ...args);
  }
}
