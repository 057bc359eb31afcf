import { describeType, exampleRequest, type Api, type Field } from './api.js';
import { make, makeText } from './dom.js';
import { toHash } from './hash-state.js';

/** All parameters by section, searchable, each with an example request. */
export function showParameterReference(api: Api): HTMLElement {
  const entries = api.fields.map((field) => ({ field, element: showField(field, api) }));
  const groups = api.sections.map((title) => {
    const own = entries.filter(({ field }) => field.section === title);
    return {
      own,
      element: make('div', { class: 'group', id: sectionAnchor(title) }, make('h3', {}, title), ...own.map(({ element }) => element)),
    };
  });
  const input = make('input', { type: 'search', id: 'search', placeholder: 'Find a parameter', autocomplete: 'off' });
  const told = make('p', { class: 'visually-hidden', role: 'status' });
  input.addEventListener('input', () => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    let found = 0;
    for (const { field, element } of entries) {
      const text = `${field.key} ${field.section} ${field.description}`.toLowerCase();
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) found += 1;
    }
    for (const { own, element } of groups) element.hidden = own.every(({ element: { hidden } }) => hidden);
    told.textContent = words.length === 0 ? '' : `${String(found)} parameters found`;
  });
  return make(
    'div',
    { class: 'group' },
    make('div', { role: 'search' }, make('label', { for: 'search', class: 'visually-hidden' }, 'Find a parameter'), input, told),
    ...groups.map(({ element }) => element),
  );
}

export function sectionAnchor(title: string): string {
  return `section-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function showField(field: Field, api: Api): HTMLElement {
  const request = exampleRequest(api, field.key);
  const facts: readonly (readonly [string, Node | string | undefined])[] = [
    ['Takes', describeType(field)],
    ['Default', field.fallback === undefined ? undefined : make('code', {}, JSON.stringify(field.fallback))],
    ['Where', field.inQuery ? undefined : 'JSON body only'],
    ['Plugin', field.plugin],
    ['Example', Object.keys(request).length === 0 ? undefined : make('code', {}, JSON.stringify(request))],
  ];
  return make(
    'article',
    { class: 'parameter panel', id: `parameter-${field.key}` },
    make(
      'h4',
      {},
      make('a', { href: `#parameter-${field.key}` }, field.key),
      field.tier === 'free' || field.tier === '' ? undefined : make('span', { class: `chip ${field.tier}` }, field.tier),
    ),
    make('p', {}, ...makeText(field.description)),
    make(
      'dl',
      { class: 'facts' },
      ...facts.flatMap(([name, text]) => (text === undefined ? [] : [make('dt', {}, name), make('dd', {}, text)])),
    ),
    Object.keys(request).length === 0
      ? undefined
      : make(
          'p',
          { class: 'help' },
          make(
            'a',
            { href: `playground#${toHash(request, api.fields)}`, 'aria-label': `Try it in the playground: ${field.key}` },
            'Try it in the playground',
          ),
        ),
  );
}
