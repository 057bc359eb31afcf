import { FlatTree, nextFrame } from '@platen/lib-page-functions';

/**
 * Waits until no element has a height that a script took from the viewport at load; late, because handlers of `resize` are often debounced.
 * Returns whether there is none. `tall`: height of the viewport at load; `original`: of the browser's. CSS pixels.
 */
export async function waitUntilFitted(tall: number, original: number, limitMs: number): Promise<boolean> {
  const ending = performance.now() + limitMs;
  const isTall = (length: number) => Math.abs(length - tall) < 1;
  const isTakenFromViewport = (element: Element): boolean => {
    const { height } = element.getBoundingClientRect();
    if (isTall(height)) return true;
    if (!(element instanceof HTMLElement) || !element.hasAttribute('style')) return false;
    const { style } = element;
    const declared = Array.from(style, (name) => parseFloat(style.getPropertyValue(name)));
    // A script may set a unit, a hundredth of the viewport, as a custom property.
    if (declared.some((value) => isTall(value) || Math.abs(value * 100 - tall) < 0.1)) return true;
    const isSized = style.height.endsWith('px') || style.minHeight.endsWith('px');
    return isSized && height > original + 1 && !['iframe', 'canvas', 'img', 'video'].includes(element.localName);
  };
  const isFitted = () => !new FlatTree().elements(document).some(isTakenFromViewport);
  let fitted = isFitted();
  while (!fitted && performance.now() < ending) {
    await nextFrame();
    fitted = isFitted();
  }
  return fitted;
}
