import { describeType, type Field } from './api.js';
import type { Reading } from './control.js';
import { createControl } from './controls.js';
import { make, makeButton, makeText } from './dom.js';

/** A parameter in the form: name, input, description and error. */
export interface FormField {
  readonly field: Field;
  readonly element: HTMLElement;
  read(): Reading;
  write(value: unknown): void;
  isSet(): boolean;
  showIssue(text: string | undefined): void;
  focus(): void;
  /** Shows whether it is set. */
  refresh(): void;
}

export function createFormField(field: Field): FormField {
  const id = `field-${field.key}`;
  const control = createControl(field, { id, name: field.key, 'aria-describedby': `${id}-help ${id}-error` });
  const clear = makeButton('Clear', { class: 'plain small', 'aria-label': `Clear ${field.key}`, hidden: true }, () => {
    control.write(undefined);
    control.element.dispatchEvent(new Event('input', { bubbles: true }));
    control.inputs()[0]?.focus();
  });
  const error = make('p', { class: 'error', id: `${id}-error` });
  const isList = control.element.getAttribute('role') === 'group';
  const element = make(
    'div',
    { class: control.wide ? 'field wide' : 'field', 'data-key': field.key },
    make(
      'div',
      { class: 'name' },
      isList ? make('span', { class: 'label', id: `${id}-label` }, field.key) : make('label', { for: id }, field.key),
      field.isExtension ? make('span', { class: 'chip', title: 'beyond the interface specification' }, 'extension') : undefined,
      field.tier === 'free' || field.tier === '' ? undefined : make('span', { class: `chip ${field.tier}` }, field.tier),
      clear,
    ),
    control.element,
    make('p', { class: 'help', id: `${id}-help` }, ...makeText(field.description), ` (${describeType(field)})`),
    error,
  );
  return {
    field,
    element,
    read: control.read,
    write: control.write,
    isSet: () => control.read() !== undefined,
    showIssue(text) {
      error.textContent = text ?? '';
      for (const input of control.inputs()) {
        if (text === undefined) input.removeAttribute('aria-invalid');
        else input.setAttribute('aria-invalid', 'true');
      }
    },
    focus() {
      control.inputs()[0]?.focus();
    },
    refresh() {
      const isSet = control.read() !== undefined;
      element.classList.toggle('set', isSet);
      clear.hidden = !isSet;
    },
  };
}
