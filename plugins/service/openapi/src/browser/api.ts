import { isObject, listAt, numberAt, objectAt, textAt, type Json } from './read-json.js';

/** A request parameter, as shown in the form and the reference. */
export interface Field {
  readonly key: string;
  readonly section: string;
  readonly description: string;
  /** Words of tasks, and names in other tools. */
  readonly terms: readonly string[];
  readonly tier: string;
  /** Beyond the interface specification. */
  readonly isExtension: boolean;
  readonly plugin: string;
  /** JSON types of its values, except null. */
  readonly types: readonly string[];
  readonly values: readonly unknown[];
  /** Of a list. */
  readonly item?: Json;
  readonly fallback: unknown;
  readonly examples: readonly unknown[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: number | undefined;
  /** Whether a query string can contain it. */
  readonly inQuery: boolean;
  readonly onCommandLine: boolean;
  /** The command line reads it from a file. */
  readonly isFile: boolean;
  /** Not stored in the browser. */
  readonly isSecret: boolean;
  /** A text or files of many megabytes. */
  readonly isLarge: boolean;
  /** An object of `data:` URLs by name. */
  readonly takesFiles: boolean;
}

export interface OutputType {
  readonly type: string;
  readonly contentType: string;
  readonly extension: string;
  readonly tier: string;
}

/** The server as described by its OpenAPI document. */
export interface Api {
  readonly document: Json;
  readonly fields: readonly Field[];
  /** Headings of the fields, in order. */
  readonly sections: readonly string[];
  readonly outputs: readonly OutputType[];
  /** Credentials by kind: `token`, `basic`, `signature`. */
  readonly asks: ReadonlySet<string>;
}

const BODY = ['paths', '/', 'post', 'requestBody', 'content', 'application/json'];

export function readApi(document: Json): Api {
  const inQuery = new Set(Object.keys(objectAt(document, 'components', 'parameters')));
  const properties = objectAt(document, 'components', 'schemas', 'HttpRequestParams', 'properties');
  return {
    document,
    fields: Object.entries(properties).map(([key, property]) => readField(key, objectAt(property), inQuery)),
    sections: listAt(document, 'x-sections').map(String),
    outputs: listAt(document, 'x-outputs')
      .filter(isObject)
      .map((output) => ({
        type: textAt(output, 'type'),
        contentType: textAt(output, 'content_type'),
        extension: textAt(output, 'extension'),
        tier: textAt(output, 'tier'),
      })),
    asks: new Set(Object.keys(objectAt(document, 'components', 'securitySchemes'))),
  };
}

/** The complete example request of the parameter, if the document has one. */
export function exampleRequest(api: Api, key: string): Json {
  return objectAt(api.document, ...BODY, 'examples', key, 'value');
}

/** Whether a query string can contain all of its parameters. */
export function fitsQuery(params: Json, { fields }: Api): boolean {
  return fields.every(({ key, inQuery }) => inQuery || !(key in params));
}

function readField(key: string, property: Json, queryKeys: ReadonlySet<string>): Field {
  const branches = listAt(property, 'anyOf').filter(isObject);
  const list = branches.find(({ type }) => type === 'array') ?? property;
  const item = objectAt(list, 'items');
  const types = [property['type'] ?? branches.flatMap(({ type }) => type)]
    .flat()
    .filter((type): type is string => typeof type === 'string' && type !== 'null')
    // A number is another spelling of its text.
    .filter((type) => type !== 'number' || property['x-number'] !== true);
  return {
    key,
    section: textAt(property, 'x-section'),
    description: textAt(property, 'description'),
    terms: listAt(property, 'x-search').map(String),
    tier: textAt(property, 'x-tier'),
    isExtension: property['x-extension'] === true,
    plugin: textAt(property, 'x-plugin'),
    types,
    values: listAt(property, 'enum').filter((value) => value !== null),
    ...(Object.keys(item).length === 0 ? {} : { item }),
    fallback: property['x-default'],
    examples: listAt(property, 'examples'),
    minimum: numberAt(property, 'minimum'),
    maximum: numberAt(property, 'maximum'),
    exclusiveMinimum: numberAt(property, 'exclusiveMinimum'),
    inQuery: queryKeys.has(key),
    onCommandLine: !('x-sources' in property) || listAt(property, 'x-sources').includes('flags'),
    isFile: property['x-at-file'] === true && (property.type !== 'string' || property['x-secret'] === true),
    isSecret: property['x-secret'] === true,
    isLarge: property['x-large'] === true,
    takesFiles: textAt(objectAt(property, 'additionalProperties'), 'pattern').startsWith('^data:'),
  };
}

/** Larger bounds come from the integer format and are not shown. */
const LARGE = 2 ** 31;

/** The valid values in words: `integer, 1 to 16`. */
export function describeType({ types, values, minimum, maximum, exclusiveMinimum }: Field): string {
  if (values.length > 0) return `one of ${[...new Set(values.map(String))].join(', ')}`;
  const noun = types.length === 0 ? 'any' : types.map((type) => (type === 'array' ? 'list' : type)).join(' or ');
  const low =
    exclusiveMinimum === undefined ? (minimum === undefined ? '' : `at least ${String(minimum)}`) : `more than ${String(exclusiveMinimum)}`;
  const high = maximum === undefined || maximum >= LARGE ? '' : `at most ${String(maximum)}`;
  if (minimum !== undefined && high !== '') return `${noun}, ${String(minimum)} to ${String(maximum)}`;
  return [noun, low, high].filter((part) => part !== '').join(', ');
}

/** A test of parameters for a search: they have every word of the text, at the beginning of one of theirs. */
export function createSearchTest(text: string): (field: Field) => boolean {
  const words = text.split(/[\s_]+/).filter((word) => word !== '');
  const tests = words.map((word) => new RegExp(`(?<![a-z0-9])${word.replaceAll(/[^a-z0-9]/gi, '\\$&')}`, 'i'));
  return ({ key, section, terms, description }) => {
    const searched = [key.replaceAll('_', ' '), section, ...terms, description].join(', ');
    return tests.every((test) => test.test(searched));
  };
}
