import { type Api, createSearchTest, describeType, exampleRequest, type Field } from './api.js';
import { anchorOf, showOperations } from './docs-operations.js';
import { byId, make, makeText } from './dom.js';
import { loadApi } from './load-api.js';
import { isObject, listAt, objectAt, textAt } from './read-json.js';
import { showTopBar } from './top-bar.js';
import { toHash } from './hash-state.js';

showTopBar('API', [
  ['Playground', 'playground'],
  ['Guide', 'guide/'],
  ['OpenAPI', 'openapi.json'],
]);
await start();

async function start(): Promise<void> {
  const api = await loadApi(() => void start());
  if (api === undefined) return;
  const operations = showOperations(api.document);
  const reference = make(
    'div',
    { id: 'reference', tabindex: -1 },
    showIntroduction(api),
    showSection('endpoints', 'Endpoints', ...operations),
    showSection('parameters', 'Parameters', showParameterReference(api)),
    showSection('outputs', 'Output types', showOutputs(api)),
    showSection('errors', 'Errors', showErrors(api)),
  );
  byId('main').replaceChildren(make('div', { class: 'book' }, showIndex(api), reference));
  document.body.dataset['state'] = 'idle';
  // The page was empty when the browser looked for the fragment of the URL.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function showSection(id: string, title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('section', { id, 'aria-labelledby': `${id}-title` }, make('h2', { id: `${id}-title` }, title), ...content);
}

function showIntroduction({ document: api }: Api): HTMLElement {
  const info = objectAt(api, 'info');
  const schemes = Object.entries(objectAt(api, 'components', 'securitySchemes'));
  return make(
    'section',
    { id: 'introduction', 'aria-labelledby': 'introduction-title' },
    make('h2', { id: 'introduction-title' }, `${textAt(info, 'title')}: ${textAt(info, 'summary')}`),
    make('p', {}, ...makeText(textAt(info, 'description'))),
    make('p', { class: 'help' }, `Interface ${textAt(info, 'version')} · OpenAPI ${textAt(api, 'openapi')}`),
    ...(schemes.length === 0
      ? [make('p', {}, 'This server requires no credentials.')]
      : schemes.map(([name, scheme]) =>
          make('p', {}, make('strong', {}, `${name}: `), ...makeText(textAt(objectAt(scheme), 'description'))),
        )),
  );
}

function showIndex(api: Api): HTMLElement {
  const operations = Object.entries(objectAt(api.document, 'paths')).flatMap(([path, methods]) =>
    Object.keys(objectAt(methods)).map((method) => [`${method.toUpperCase()} ${path}`, `#${anchorOf(method, path)}`] as const),
  );
  return make(
    'nav',
    { class: 'index', 'aria-label': 'Contents' },
    ...showLinks('Endpoints', operations),
    ...showLinks(
      'Parameters',
      api.sections.map((title) => [title, `#${sectionAnchor(title)}`] as const),
    ),
    ...showLinks('More', [
      ['Output types', '#outputs'],
      ['Errors', '#errors'],
    ]),
  );
}

function showLinks(title: string, links: readonly (readonly [text: string, href: string])[]): readonly HTMLElement[] {
  return [make('h2', {}, title), make('ul', {}, ...links.map(([text, href]) => make('li', {}, make('a', { href }, text))))];
}

function showTable(label: string, heads: readonly string[], rows: readonly (readonly (Node | string)[])[]): HTMLElement {
  return make(
    'div',
    { class: 'scroll panel', tabindex: 0, role: 'region', 'aria-label': `Table: ${label}` },
    make(
      'table',
      {},
      make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((cell) => make('td', {}, cell))))),
    ),
  );
}

function showOutputs({ outputs }: Api): HTMLElement {
  return showTable(
    'Output types',
    ['output_type', 'Content type', 'File', 'Tier'],
    outputs.map(({ type, contentType, extension, tier }) => [make('code', {}, type), contentType, `.${extension}`, tier]),
  );
}

/** Every error code with its statuses. */
function showErrors({ document: api }: Api): HTMLElement {
  const responses = Object.values(objectAt(api, 'paths')).flatMap((methods) =>
    Object.values(objectAt(methods)).flatMap((operation) => Object.entries(objectAt(operation, 'responses'))),
  );
  const rows = new Map<string, readonly [status: string, text: string]>();
  for (const [status, response] of responses) {
    const schema = objectAt(response, 'content', 'application/problem+json', 'schema');
    const codes = listAt(schema, 'allOf')
      .filter(isObject)
      .flatMap((part) => listAt(objectAt(part, 'properties', 'code'), 'enum'));
    const texts = textAt(objectAt(response), 'description').split(' · ');
    codes.forEach((code, index) => rows.set(String(code), [status, (texts[index] ?? '').replace(/ \(`.*$/, '')]));
  }
  const sorted = [...rows].sort(([, [a]], [, [b]]) => Number(a) - Number(b));
  return showTable(
    'Errors',
    ['Status', 'Code', 'Meaning'],
    sorted.map(([code, [status, text]]) => [make('span', { class: 'chip bad' }, status), make('code', {}, code), text]),
  );
}

/** All parameters by section, searchable, each with an example request. */
function showParameterReference(api: Api): HTMLElement {
  const entries = api.fields.map((field) => ({ field, element: showField(field, api) }));
  const groups = api.sections.map((title) => {
    const own = entries.filter(({ field }) => field.section === title);
    return {
      own,
      element: make('div', { class: 'group', id: sectionAnchor(title) }, make('h3', {}, title), ...own.map(({ element }) => element)),
    };
  });
  const input = make('input', { type: 'search', id: 'search', placeholder: 'Find a parameter', autocomplete: 'off' });
  const announcement = make('p', { class: 'visually-hidden', role: 'status' });
  input.addEventListener('input', () => {
    const matches = createSearchTest(input.value);
    let found = 0;
    for (const { field, element } of entries) {
      element.hidden = !matches(field);
      if (!element.hidden) found += 1;
    }
    for (const { own, element } of groups) element.hidden = own.every(({ element: { hidden } }) => hidden);
    announcement.textContent = input.value.trim() === '' ? '' : `${String(found)} parameters found`;
  });
  return make(
    'div',
    { class: 'group' },
    make('div', { role: 'search' }, make('label', { for: 'search', class: 'visually-hidden' }, 'Find a parameter'), input, announcement),
    ...groups.map(({ element }) => element),
  );
}

function sectionAnchor(title: string): string {
  return `section-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function showField(field: Field, api: Api): HTMLElement {
  const request = exampleRequest(api, field.key);
  const facts: readonly (readonly [string, Node | string | undefined])[] = [
    ['Takes', describeType(field)],
    ['Default', field.fallback === undefined ? undefined : make('code', {}, JSON.stringify(field.fallback))],
    ['Where', field.inQuery ? undefined : 'JSON or multipart body only'],
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
      field.isExtension ? make('span', { class: 'chip', title: 'beyond the interface specification' }, 'extension') : undefined,
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
