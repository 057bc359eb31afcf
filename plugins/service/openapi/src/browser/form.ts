import { createSearchTest, describeType, type Api } from './api.js';
import { make } from './dom.js';
import { createFormField, type FormField } from './form-field.js';
import { createTargetFields, withScheme } from './target-fields.js';
import { showValue, type Json } from './read-json.js';

export interface RequestForm {
  readonly target: readonly FormField[];
  /** The search and the sections. */
  readonly element: HTMLElement;
  /** The parameters that are set. Undefined if an input is not valid; the errors are then shown. */
  read(): Json | undefined;
  /** The valid parameters that are set. */
  peek(): Json;
  /** Returns values that no input accepts; their fields show the error too. */
  write(params: Json): readonly Issue[];
  /** Shows the server's errors at their fields, opens the sections and moves the focus. */
  showIssues(issues: readonly Issue[]): void;
}

export interface Issue {
  readonly key: string;
  readonly detail: string;
}

interface Section {
  readonly title: string;
  readonly element: HTMLDetailsElement;
  readonly count: HTMLElement;
  readonly fields: readonly FormField[];
}

/** A searchable form of all parameters of this server, by section. */
export function createForm(api: Api): RequestForm {
  const target = createTargetFields(api);
  const own = new Set(target.map(({ field }) => field.key));
  const sections = api.sections.map((title) =>
    createSection(title, api.fields.filter(({ key, section }) => section === title && !own.has(key)).map(createFormField)),
  );
  const all = [...target, ...sections.flatMap(({ fields }) => fields)];
  const refresh = () => {
    for (const section of sections) refreshSection(section);
  };
  const element = make(
    'div',
    {},
    createSearch(sections),
    make('div', { class: 'sections' }, ...sections.map((section) => section.element)),
  );
  element.addEventListener('input', refresh);
  element.addEventListener('change', refresh);
  refresh();
  return {
    target,
    element,
    peek: () => readValues(all),
    read() {
      const issues = readIssues(all);
      showIssues(issues, all, sections);
      return issues.length === 0 ? readValues(all) : undefined;
    },
    write(params) {
      for (const { field, write } of all) write(params[field.key]);
      const issues = all.flatMap((field) => issueOfWritten(field, params[field.field.key]));
      for (const { element: details, fields } of sections) details.open = fields.some(({ isSet }) => isSet());
      markIssues(issues, all, sections);
      refresh();
      return issues;
    },
    showIssues(issues) {
      showIssues(issues, all, sections);
    },
  };
}

function readValues(fields: readonly FormField[]): Json {
  const values: Json = Object.fromEntries(
    fields.flatMap(({ field, read }) => {
      const reading = read();
      return reading !== undefined && 'value' in reading ? [[field.key, reading.value] as const] : [];
    }),
  );
  const { url, upload } = values;
  // The URL of an upload may be the path of a file.
  return typeof url === 'string' && upload === undefined ? { ...values, url: withScheme(url) } : values;
}

function readIssues(fields: readonly FormField[]): readonly Issue[] {
  return fields.flatMap(({ field, read }) => {
    const reading = read();
    return reading !== undefined && 'issue' in reading ? [{ key: field.key, detail: reading.issue }] : [];
  });
}

/** The error of a value that the input does not accept: an unknown choice, a text for a number. */
function issueOfWritten({ field, read }: FormField, given: unknown): readonly Issue[] {
  if ([given].flat().every((item) => item === undefined || item === '')) return [];
  const reading = read();
  const isTaken = reading !== undefined && 'value' in reading && showValue(reading.value).trim() === showValue(given).trim();
  return isTaken ? [] : [{ key: field.key, detail: `${JSON.stringify(given)} is not a valid value: ${describeType(field)}` }];
}

/** Shows each error at its field, opens the sections and focuses the first field. */
function showIssues(issues: readonly Issue[], all: readonly FormField[], sections: readonly Section[]): void {
  markIssues(issues, all, sections)[0]?.focus();
}

/** Returns the fields with errors; clears the errors of all others. */
function markIssues(issues: readonly Issue[], all: readonly FormField[], sections: readonly Section[]): readonly FormField[] {
  const texts = new Map(issues.map(({ key, detail }) => [key, detail]));
  const invalid = all.filter(({ field }) => texts.has(field.key));
  for (const section of sections) if (section.fields.some((field) => invalid.includes(field))) section.element.open = true;
  for (const field of all) field.showIssue(texts.get(field.field.key));
  return invalid;
}

function createSection(title: string, fields: readonly FormField[]): Section {
  const count = make('span', { class: 'chip' });
  const element = make(
    'details',
    { class: 'panel', hidden: fields.length === 0 },
    make('summary', {}, title, count),
    make('div', { class: 'fields' }, ...fields.map((field) => field.element)),
  );
  return { title, element, count, fields };
}

function refreshSection({ count, fields }: Section): void {
  for (const field of fields) field.refresh();
  const set = fields.filter(({ isSet }) => isSet()).length;
  count.textContent = set === 0 ? String(fields.length) : `${String(set)} set`;
  count.classList.toggle('count', set > 0);
}

/** Announced to screen readers; visible only if nothing was found. */
function describeFound(found: number, searched: string): string {
  if (found === 0) return `No parameter matches “${searched}”.`;
  return found === 1 ? '1 parameter found' : `${String(found)} parameters found`;
}

/** Shows the parameters whose name, section or help contains every word. Without words: all, with sections closed unless set. */
function createSearch(sections: readonly Section[]): HTMLElement {
  const input = make('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Find a parameter: cookie, dark, timezone…',
    autocomplete: 'off',
  });
  const announcement = make('p', { class: 'visually-hidden', role: 'status' });
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    const searched = input.value.trim();
    const matches = createSearchTest(searched);
    let found = 0;
    for (const { element, fields } of sections) {
      const hits = fields.filter(({ field }) => matches(field));
      for (const field of fields) field.element.hidden = !hits.includes(field);
      element.hidden = hits.length === 0;
      element.open = searched !== '' || fields.some(({ isSet }) => isSet());
      found += hits.length;
    }
    announcement.textContent = searched === '' ? '' : describeFound(found, searched);
    announcement.className = found === 0 ? 'none' : 'visually-hidden';
  });
  return make(
    'div',
    { class: 'search', role: 'search' },
    make('label', { for: 'search', class: 'visually-hidden' }, 'Find a parameter'),
    input,
    announcement,
  );
}
