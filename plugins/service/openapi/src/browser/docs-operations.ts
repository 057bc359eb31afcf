import { make, makeText } from './dom.js';
import { isObject, listAt, objectAt, textAt, type Json } from './read-json.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every endpoint: purpose, parameters and responses. */
export function showOperations(document: Json): readonly HTMLElement[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    METHODS.filter((method) => isObject(methods) && method in methods).map((method) =>
      showOperation(method, path, objectAt(methods, method)),
    ),
  );
}

/** The anchor of an operation in the page. */
export function anchorOf(method: string, path: string): string {
  return `${method}-${path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'root'}`;
}

function showOperation(method: string, path: string, operation: Json): HTMLElement {
  const own = listAt(operation, 'parameters')
    .filter(isObject)
    .filter((parameter) => !('$ref' in parameter) && textAt(parameter, 'name') !== 'url');
  const isRender =
    listAt(operation, 'parameters').some((parameter) => isObject(parameter) && '$ref' in parameter) || 'requestBody' in operation;
  return make(
    'article',
    { class: 'operation panel', id: anchorOf(method, path) },
    make('h3', {}, make('span', { class: `method ${method}` }, method.toUpperCase()), make('code', {}, path), textAt(operation, 'summary')),
    make('p', {}, ...makeText(textAt(operation, 'description'))),
    isRender && path === '/'
      ? make('p', { class: 'help' }, 'Takes ', make('a', { href: '#parameters' }, 'the parameters below'), '.')
      : undefined,
    own.length === 0 ? undefined : showParameters(own, `${method} ${path}`),
    make('p', { class: 'help' }, describeSecurity(operation)),
    showAnswers(objectAt(operation, 'responses'), `${method} ${path}`),
  );
}

function showParameters(parameters: readonly Json[], of: string): HTMLElement {
  const rows = parameters.map((parameter) =>
    make(
      'tr',
      {},
      make('td', {}, make('code', {}, textAt(parameter, 'name'))),
      make('td', {}, `in ${textAt(parameter, 'in')}${parameter['required'] === true ? ', required' : ''}`),
      make('td', {}, ...makeText(textAt(parameter, 'description'))),
    ),
  );
  return make(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Parameters of ${of}` },
    make('table', {}, make('tbody', {}, ...rows)),
  );
}

function describeSecurity(operation: Json): string {
  const ways = listAt(operation, 'security')
    .filter(isObject)
    .map((way) => Object.keys(way).join(' and '));
  return ways.length === 0 ? 'Requires no credentials.' : `Requires ${ways.join(', or ')}.`;
}

function showAnswers(responses: Json, of: string): HTMLElement {
  const rows = Object.entries(responses).map(([status, response]) => {
    const answer = objectAt(response);
    const types = Object.keys(objectAt(answer, 'content')).filter((type) => type !== 'application/problem+json' && type !== '*/*');
    return make(
      'tr',
      {},
      make('td', {}, make('span', { class: status.startsWith('2') ? 'chip good' : status.startsWith('3') ? 'chip' : 'chip bad' }, status)),
      make('td', {}, ...makeText(textAt(answer, 'description')), types.length === 0 || types.length > 3 ? '' : ` — ${types.join(', ')}`),
    );
  });
  return make(
    'details',
    {},
    make('summary', {}, `Answers (${String(rows.length)})`),
    make(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Responses of ${of}` },
      make('table', {}, make('tbody', {}, ...rows)),
    ),
  );
}
