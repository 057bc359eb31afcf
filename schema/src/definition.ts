import { nearest } from './nearest.js';

/** The required form of a value; errors name the innermost invalid place. */
interface Shape {
  readonly what: string;
  is(value: unknown): boolean;
  /** The allowed members of an object. */
  readonly members?: Readonly<Record<string, Member>>;
  /** The required form of each item of a list. */
  readonly items?: Shape;
}

interface Member {
  readonly shape: Shape;
  readonly required: boolean;
}

const text: Shape = { what: 'a string', is: (value) => typeof value === 'string' && value !== '' };
/** RFC 9110, 8.3.1: used unchanged in a header. */
const mediaType: Shape = {
  what: 'a media type, such as "image/png"',
  is: (value) => typeof value === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w.-]+=[\w.:+-]+)*$/.test(value),
};
/** Used in file names. */
const extension: Shape = {
  what: 'a file extension without a leading dot, such as "png"',
  is: (value) => typeof value === 'string' && /^\w+(?:\.\w+)*$/.test(value),
};
const verb: Shape = { what: 'a function', is: (value) => typeof value === 'function' };
const flag: Shape = { what: 'true', is: (value) => value === true };
const object: Shape = { what: 'an object', is: isObject };
const tier: Shape = {
  what: '"free", "pro" or "enterprise"',
  is: (value) => ['free', 'pro', 'enterprise'].some((known) => known === value),
};
const texts: Shape = { what: 'a list of strings', is: isTexts };
const sources: Shape = {
  what: 'a capture kind or a list of capture kinds',
  is: (value) => text.is(value) || (isTexts(value) && value.length > 0),
};

const combines: Shape = {
  what: '"recording", "reading", "moving" or "printing"',
  is: (value) => ['recording', 'reading', 'moving', 'printing'].some((known) => known === value),
};

/** The members of the kernel's `plugin.ts`, `output.ts` and `tools.ts`, for plugins that no compiler has checked. */
const DEFINITION = record(
  { name: text },
  {
    tier,
    requires: texts,
    captures: listOf(
      record(
        { kind: text },
        {
          streaming: flag,
          pausesVirtualTime: flag,
          spansDocuments: flag,
          acceptsDownloads: flag,
          recordsLoading: flag,
          scaled: flag,
          combines,
        },
      ),
    ),
    outputs: listOf(
      record(
        { type: text, from: sources, contentType: mediaType, extension },
        { endings: texts, defaultFor: sources, noGzipKey: text, aliases: texts, captureOptions: object },
      ),
    ),
    assets: listOf(record({ key: text, name: text }, { from: text, outputs: flag, ofFailure: flag, ofOutput: flag })),
    params: object,
    rules: listOf(object),
    flags: object,
    tools: listOf(record({ id: text, candidates: listOf(object), fix: text }, { from: text, optional: flag })),
    commands: listOf(
      record({ name: text, usage: { ...text, is: (value) => typeof value === 'string' }, description: text, run: verb }, { help: text }),
    ),
    planFor: object,
    plan: verb,
    complete: verb,
    validatePlan: verb,
    apply: verb,
    prepare: verb,
    serve: verb,
  },
);

/**
 * Describes the first error of a plugin's definition and names its field; undefined if there is none. Checked at run time, since plugins
 * need not be written in TypeScript.
 */
export function findDefinitionFault(definition: unknown): string | undefined {
  return findFault(definition, DEFINITION, '');
}

/** Describes the first error below a place. */
function findFault(value: unknown, shape: Shape, place: string): string | undefined {
  const { what, is, items, members } = shape;
  if (!is(value)) return `${place === '' ? 'it' : `"${place}"`} must be ${what}`;
  if (items !== undefined && isList(value))
    return firstOf(value.entries(), ([index, item]) => findFault(item, items, `${place}[${String(index)}]`));
  return members !== undefined && isObject(value) ? findMemberFault(value, members, place) : undefined;
}

function findMemberFault(value: Readonly<Record<string, unknown>>, members: Readonly<Record<string, Member>>, place: string) {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  const undeclared = Object.keys(value).find((name) => !Object.hasOwn(members, name));
  if (undeclared !== undefined) {
    const near = nearest(undeclared, Object.keys(members));
    return `unknown field "${at(undeclared)}"${near === undefined ? '' : `: did you mean "${near}"?`}`;
  }
  return firstOf(Object.entries(members), ([name, { shape, required }]) =>
    value[name] === undefined && !required ? undefined : findFault(value[name], shape, at(name)),
  );
}

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function record(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>>): Shape {
  const members: readonly (readonly [string, Member])[] = [
    ...Object.entries(required).map(([name, shape]) => [name, { shape, required: true }] as const),
    ...Object.entries(optional).map(([name, shape]) => [name, { shape, required: false }] as const),
  ];
  return { ...object, members: Object.fromEntries(members) };
}

function listOf(items: Shape): Shape {
  return { what: 'a list', is: isList, items };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return isList(value) && value.every((item) => text.is(item));
}
