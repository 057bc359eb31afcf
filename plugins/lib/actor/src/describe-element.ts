import type { Rect } from '@platen/kernel';
import type { KnownElement } from '@platen/lib-view';
import type { ElementFacts } from './action.js';
import type { PageElement } from './element.js';
import { type Layer, pathOf, readLayers, toViewport } from './frames.js';

/** The element's facts; its box is empty if it is not rendered. */
export async function describeElement(element: PageElement, { role, name }: Pick<KnownElement, 'role' | 'name'>): Promise<ElementFacts> {
  const { frame, frames } = element;
  const [facts, layers] = await Promise.all([element.call(readFacts), readLayers(frame, frames).catch(() => [])]);
  const quads = await readQuads(element);
  return { role, name, ...facts, frameUrls: pathOf(frame, frames).map(({ url }) => url), box: boundsOf(quads, layers) };
}

/** Corners of the element's boxes in its process's layer; none if it is not rendered. */
export async function readQuads({ frame, backendNodeId }: PageElement): Promise<readonly (readonly number[])[]> {
  return frame.session.send('DOM.getContentQuads', { backendNodeId }).then(
    ({ quads }) => quads,
    () => [],
  );
}

function boundsOf(quads: readonly (readonly number[])[], layers: readonly Layer[]): Rect {
  const corners = quads.flatMap((quad) => [0, 2, 4, 6].map((at) => toViewport({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }, layers)));
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Those that the element's own document knows. */
export type OwnFacts = Omit<ElementFacts, 'role' | 'name' | 'frameUrls' | 'box'>;

/** Runs in the page; must not capture outer variables. */
export function readFacts(element: Element): OwnFacts {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
  const form = isField || element instanceof HTMLButtonElement ? element.form : element.closest('form');
  const isSubmit = (one: Element): one is HTMLButtonElement | HTMLInputElement =>
    (one instanceof HTMLButtonElement && one.type === 'submit') ||
    (one instanceof HTMLInputElement && ['submit', 'image'].includes(one.type));
  // Enter in a field presses the form's first button.
  const submitter = isSubmit(element)
    ? element
    : [...(form?.ownerDocument.querySelectorAll('button, input') ?? [])].find(
        (one): one is HTMLButtonElement | HTMLInputElement => isSubmit(one) && one.form === form,
      );
  const own = submitter?.hasAttribute('formaction') === true ? submitter.formAction : undefined;
  // A form may have a field named `action`.
  const action: unknown = form === null ? undefined : Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action')?.get?.call(form);
  const formAction = own ?? (typeof action === 'string' ? action : undefined);
  return {
    ...{ tag: element.localName, origin: self.origin },
    ...(element instanceof HTMLInputElement ? { inputType: element.type } : {}),
    ...(isField && element.autocomplete !== '' ? { autocomplete: element.autocomplete } : {}),
    ...('multiple' in element && element.multiple === true ? { multiple: true } : {}),
    ...(formAction === undefined ? {} : { formAction }),
  };
}
