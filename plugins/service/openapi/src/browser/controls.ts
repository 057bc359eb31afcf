import type { Field } from './api.js';
import type { Control } from './control.js';
import { make, makeButton, type Attributes } from './dom.js';
import { addTextFile, createFiles } from './file-control.js';
import { listAt, showValue } from './read-json.js';

/** Creates the input for the parameter: a choice, files, several choices or texts, a number, a text, or JSON. */
export function createControl(field: Field, attributes: Attributes): Control {
  const { types, values, item } = field;
  if (values.length > 0 || types.join() === 'boolean') return createChoice(field, attributes);
  if (field.takesFiles) return createFiles(field, attributes);
  if (item !== undefined && listAt(item, 'enum').length > 0) return createChecks(field, listAt(item, 'enum').map(String), attributes);
  if (item !== undefined && item['type'] !== 'object') return createList(field, attributes);
  const isNumber = types.length === 1 && (types[0] === 'integer' || types[0] === 'number');
  if (isNumber) return createNumber(field, attributes);
  return types.join() === 'string' ? createText(field, attributes) : createJson(field, attributes);
}

function createChoice({ values, fallback }: Field, attributes: Attributes): Control {
  const choices = new Map((values.length > 0 ? values : [true, false]).map((value) => [String(value), value]));
  const select = make(
    'select',
    attributes,
    make('option', { value: '' }, fallback === undefined ? 'not set' : `default: ${showValue(fallback)}`),
    ...[...choices.keys()].map((text) => make('option', { value: text }, text)),
  );
  return {
    element: select,
    inputs: () => [select],
    wide: false,
    read: () => (select.value === '' ? undefined : { value: choices.get(select.value) }),
    write(value) {
      select.value = showValue(value);
    },
  };
}

function hintOf({ fallback, examples }: Field): string | undefined {
  if (fallback !== undefined) return showValue(fallback);
  return examples[0] === undefined ? undefined : `e.g. ${showValue(examples[0])}`;
}

/** Numbers as the server accepts them in a query string. */
export const DECIMAL = /^-?(\d+(\.\d+)?|\.\d+)$/;

/** Not `<input type=number>`, which hides invalid text from scripts. */
function createNumber(field: Field, attributes: Attributes): Control {
  const input = make('input', {
    ...attributes,
    inputmode: field.types[0] === 'integer' ? 'numeric' : 'decimal',
    placeholder: hintOf(field),
    autocomplete: 'off',
  });
  return {
    element: input,
    inputs: () => [input],
    wide: false,
    read() {
      const text = input.value.trim();
      if (text === '') return undefined;
      return DECIMAL.test(text) && Number.isFinite(Number(text))
        ? { value: Number(text) }
        : { issue: `"${text}" is not a valid number: use decimal notation` };
    },
    write(value) {
      input.value = showValue(value);
    },
  };
}

/** A long text, HTML or CSS. */
const LONG_TEXT = /.{41}|[<{]/;

function createText(field: Field, attributes: Attributes): Control {
  const isLong = field.examples.some((example) => LONG_TEXT.test(String(example)));
  const common = { ...attributes, placeholder: hintOf(field), spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off' };
  const input = isLong ? make('textarea', { ...common, rows: field.isLarge ? 6 : 2 }) : make('input', common);
  return {
    element: field.isLarge && input instanceof HTMLTextAreaElement ? addTextFile(input, field.key) : input,
    inputs: () => [input],
    wide: isLong,
    read: () => (input.value === '' ? undefined : { value: input.value }),
    write(value) {
      input.value = typeof value === 'string' ? value : '';
    },
  };
}

/** Objects and values of several types: JSON, or plain text if strings are allowed. */
function createJson(field: Field, attributes: Attributes): Control {
  const area = make('textarea', { ...attributes, rows: 3, placeholder: hintOf(field), spellcheck: 'false' });
  const takesText = field.types.length === 0 || field.types.includes('string');
  return {
    element: area,
    inputs: () => [area],
    wide: true,
    read() {
      const text = area.value.trim();
      if (text === '') return undefined;
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return takesText ? { value: text } : { issue: 'not valid JSON' };
      }
    },
    write(value) {
      area.value = value === undefined ? '' : typeof value === 'string' && takesText ? value : JSON.stringify(value, null, 2);
    },
  };
}

/** A checkbox for each choice. */
function createChecks(field: Field, choices: readonly string[], { id, ...attributes }: Attributes): Control {
  const boxes = choices.map((value) => make('input', { ...attributes, type: 'checkbox', value }));
  const labels = boxes.map((box) => make('label', {}, box, box.value));
  return {
    element: make('div', { class: 'checks', role: 'group', id, 'aria-labelledby': `${String(id)}-label` }, ...labels),
    inputs: () => boxes,
    wide: true,
    read() {
      const value = boxes.filter(({ checked }) => checked).map((box) => box.value);
      return value.length === 0 ? undefined : { value };
    },
    write(value) {
      for (const box of boxes) box.checked = [value].flat().includes(box.value);
    },
  };
}

/** One line for each item, and a button for one more. */
function createList(field: Field, attributes: Attributes): Control {
  const { id, ...shared } = attributes;
  const rows = make('div', { class: 'rows', role: 'group', id, 'aria-labelledby': `${String(id)}-label` });
  const isText = field.item?.['type'] === 'string';
  const inputs = () => [...rows.querySelectorAll('input')];
  const changed = () => rows.dispatchEvent(new Event('input', { bubbles: true }));
  const add = (text: string) => {
    const input = make('input', {
      ...shared,
      'aria-label': `${field.key}, item ${String(inputs().length + 1)}`,
      placeholder: itemHint(field),
      spellcheck: 'false',
      autocomplete: 'off',
    });
    input.value = text;
    const row = make('div', { class: 'row' }, input);
    row.append(
      makeButton('Remove', { class: 'small', 'aria-label': `Remove this item of ${field.key}` }, () => {
        row.remove();
        if (inputs().length === 0) add('');
        changed();
        more.focus();
      }),
    );
    more.before(row);
    return input;
  };
  const more = makeButton('Add', { class: 'small', 'aria-label': `Add an item to ${field.key}` }, () => {
    add('').focus();
  });
  rows.append(more);
  add('');
  return {
    element: rows,
    inputs,
    wide: true,
    read() {
      const texts = inputs()
        .map(({ value }) => value)
        .filter((text) => text !== '');
      return texts.length === 0 ? undefined : { value: isText ? texts : texts.map(parseItem) };
    },
    write(value) {
      rows.querySelectorAll('.row').forEach((row) => row.remove());
      const items = value === undefined ? [''] : [value].flat();
      for (const each of items) add(showValue(each));
    },
  };
}

function itemHint({ examples: [first] }: Field): string | undefined {
  const hint: unknown = Array.isArray(first) ? first[0] : first;
  return typeof hint === 'string' ? `e.g. ${hint}` : undefined;
}

function parseItem(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
