import { describeType, type Api } from './api.js';
import { make } from './dom.js';
import { createFormField, type FormField } from './form-field.js';
import { createTargetFields, withScheme } from './target-fields.js';
import { showValue, type Json } from './read-json.js';

export interface RequestForm {
  readonly target: readonly FormField[];
  /** The search and the sections. */
  readonly element: HTMLElement;
  /** What is set; undefined, with the faults shown, where an input holds what is no value. */
  read(): Json | undefined;
  /** What is set, faults aside. */
  peek(): Json;
  /** Answers with what no input takes, which its field tells of too. */
  write(params: Json): readonly Fault[];
  /** Shows what the server said of each key, opens its section and goes there. */
  showFaults(faults: readonly Fault[]): void;
}

export interface Fault {
  readonly key: string;
  readonly detail: string;
}

interface Section {
  readonly title: string;
  readonly element: HTMLDetailsElement;
  readonly count: HTMLElement;
  readonly fields: readonly FormField[];
}

/** A form of every key of this server, by section, to be searched. */
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
      const faults = readFaults(all);
      showFaults(faults, all, sections);
      return faults.length === 0 ? readValues(all) : undefined;
    },
    write(params) {
      for (const { field, write } of all) write(params[field.key]);
      const faults = all.flatMap((field) => faultOfWritten(field, params[field.field.key]));
      for (const { element: details, fields } of sections) details.open = fields.some(({ isSet }) => isSet());
      markFaults(faults, all, sections);
      refresh();
      return faults;
    },
    showFaults(faults) {
      showFaults(faults, all, sections);
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
  const { url } = values;
  return typeof url === 'string' ? { ...values, url: withScheme(url) } : values;
}

function readFaults(fields: readonly FormField[]): readonly Fault[] {
  return fields.flatMap(({ field, read }) => {
    const reading = read();
    return reading !== undefined && 'fault' in reading ? [{ key: field.key, detail: reading.fault }] : [];
  });
}

/** What came into the input is not what was given: a choice that there is not, a text where a number is asked for. */
function faultOfWritten({ field, read }: FormField, given: unknown): readonly Fault[] {
  if ([given].flat().every((item) => item === undefined || item === '')) return [];
  const reading = read();
  const isTaken = reading !== undefined && 'value' in reading && showValue(reading.value).trim() === showValue(given).trim();
  return isTaken ? [] : [{ key: field.key, detail: `${JSON.stringify(given)} was given, which is no value of it: ${describeType(field)}` }];
}

/** Each fault stands at its field, whose section opens; the first one has the focus. */
function showFaults(faults: readonly Fault[], all: readonly FormField[], sections: readonly Section[]): void {
  markFaults(faults, all, sections)[0]?.focus();
}

/** Answers with the fields. Those that have none no longer say so. */
function markFaults(faults: readonly Fault[], all: readonly FormField[], sections: readonly Section[]): readonly FormField[] {
  const texts = new Map(faults.map(({ key, detail }) => [key, detail]));
  const faulty = all.filter(({ field }) => texts.has(field.key));
  for (const section of sections) if (section.fields.some((field) => faulty.includes(field))) section.element.open = true;
  for (const field of all) field.showFault(texts.get(field.field.key));
  return faulty;
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

/** A number is seen by what stands below; that nothing does is said to everybody. */
function describeFound(found: number, searched: string): string {
  if (found === 0) return `No parameter matches “${searched}”.`;
  return found === 1 ? '1 parameter found' : `${String(found)} parameters found`;
}

/** Shows the keys whose name, section or help has every word; without words all of them, in closed sections but for what is set. */
function createSearch(sections: readonly Section[]): HTMLElement {
  const input = make('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Find a parameter: cookie, dark, timezone…',
    autocomplete: 'off',
  });
  const told = make('p', { class: 'visually-hidden', role: 'status' });
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    let found = 0;
    for (const { title, element, fields } of sections) {
      const hits = fields.filter(({ field }) =>
        words.every((word) => `${field.key} ${title} ${field.description}`.toLowerCase().includes(word)),
      );
      for (const field of fields) field.element.hidden = !hits.includes(field);
      element.hidden = hits.length === 0;
      element.open = words.length > 0 || fields.some(({ isSet }) => isSet());
      found += hits.length;
    }
    told.textContent = words.length === 0 ? '' : describeFound(found, input.value.trim());
    told.className = found === 0 ? 'none' : 'visually-hidden';
  });
  return make(
    'div',
    { class: 'search', role: 'search' },
    make('label', { for: 'search', class: 'visually-hidden' }, 'Find a parameter'),
    input,
    told,
  );
}
