import type { ElementFacts } from '../action.js';

/** Those that the element's own document knows. */
export type OwnFacts = Omit<ElementFacts, 'role' | 'name' | 'frameUrls' | 'box'>;

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
