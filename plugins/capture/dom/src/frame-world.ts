import { openFrameWorld, type Page } from '@platen/kernel';

/** For as long as the render lasts: a large document takes its time. */
export const AT_LEISURE = { evaluateMs: Infinity } as const;

/** In the main frame. Where the document is replaced meanwhile, the page itself knows how to follow. */
export async function evaluateAtLeisure<A extends readonly unknown[], R>(
  page: Page,
  fn: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  try {
    const { evaluate } = await openFrameWorld(page, page.mainFrameId, AT_LEISURE);
    return await evaluate(fn, ...args);
  } catch {
    return page.evaluate(fn, ...args);
  }
}
