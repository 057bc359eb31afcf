import type { Api, Field, OutputType } from './api.js';
import { make } from './dom.js';
import type { FormField } from './form-field.js';

const KINDS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Images', /^image\//],
  ['Documents and text', /^(?:text\/|application\/pdf|multipart\/)/],
  ['Videos', /^video\//],
  ['Archives', /^application\/wa(?:rc|cz)/],
];

const ADDRESS = /^(?:\[[\da-f:.]+\]|[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252})(?::\d{1,5})?(?=[/?#]|$)/iu;
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?#]|$)/i;

/** As the command line reads an address without a scheme (`withScheme` of the kernel); other texts are unchanged. */
export function withScheme(address: string): string {
  const url = `${LOOPBACK.test(address) ? 'http' : 'https'}://${address}`;
  return ADDRESS.test(address) && !/^data:/i.test(address) && URL.canParse(url) ? new URL(url).href : address;
}

/** The two main parameters, above all others: the page and the output type. */
export function createTargetFields(api: Api): readonly FormField[] {
  const fields = api.fields.filter(({ key }) => key === 'url' || key === 'output_type');
  return fields.map((field) => (field.key === 'url' ? createUrlField(field) : createTypeField(field, api.outputs)));
}

function createUrlField(field: Field): FormField {
  const input = make('input', {
    id: 'field-url',
    name: 'url',
    type: 'text',
    inputmode: 'url',
    required: true,
    placeholder: 'https://example.com/',
    spellcheck: 'false',
    autocomplete: 'url',
    autocapitalize: 'off',
    'aria-describedby': 'field-url-error',
  });
  return toFormField(field, input, 'Page to render');
}

function createTypeField(field: Field, outputs: readonly OutputType[]): FormField {
  const select = make('select', { id: 'field-output_type', name: 'output_type', 'aria-describedby': 'field-output_type-error' });
  const groups = new Map<string, OutputType[]>();
  for (const output of outputs) {
    const title = KINDS.find(([, pattern]) => pattern.test(output.contentType))?.[0] ?? 'Data';
    groups.set(title, [...(groups.get(title) ?? []), output]);
  }
  for (const title of [...KINDS.map(([name]) => name), 'Data']) {
    const options = (groups.get(title) ?? []).map(({ type, tier }) =>
      make('option', { value: type }, tier === 'free' ? type : `${type} (${tier})`),
    );
    if (options.length > 0) select.append(make('optgroup', { label: title }, ...options));
  }
  const first = typeof field.fallback === 'string' ? field.fallback : (outputs[0]?.type ?? '');
  select.value = first;
  return toFormField(field, select, 'Output', first);
}

// oxlint-disable-next-line max-params -- the two fields differ in label and initial value
function toFormField(field: Field, input: HTMLInputElement | HTMLSelectElement, title: string, first = ''): FormField {
  const error = make('p', { class: 'error', id: `${input.id}-error` });
  return {
    field,
    element: make('div', { class: 'field' }, make('label', { for: input.id }, title), input, error),
    read: () => (input.value.trim() === '' ? undefined : { value: input.value.trim() }),
    write(value) {
      input.value = typeof value === 'string' ? value : first;
      // An unknown value selects no option.
      if (input.value === '') input.value = first;
    },
    isSet: () => input.value.trim() !== first,
    showIssue(text) {
      error.textContent = text ?? '';
      if (text === undefined) input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    },
    focus() {
      input.focus();
    },
    refresh() {},
  };
}
