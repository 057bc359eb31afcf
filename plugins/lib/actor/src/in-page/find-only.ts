import { FlatTree } from '@platen/lib-page-functions';

/** The control that the element is, or that a label or a wrapper stands for; null if a wrapper has several, or none. */
export function findOnly(element: Element, test: (element: Element) => boolean): Element | null {
  if (test(element)) return element;
  const control = element.closest('label')?.control ?? null;
  if (control !== null && test(control)) return control;
  const [found, ...others] = new FlatTree().elements(element).filter(test);
  return found !== undefined && others.length === 0 ? found : null;
}
