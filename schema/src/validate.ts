import { compileFragment, compileOwned, compileRule, once } from './compile.js';
import { explainMissing, explainError, explainSource, explainUnknown, quote } from './explain.js';
import type { Fragment, Fragments, InferParams, RenderParams, Source } from './fragment.js';
import { immutableJson, isObject, NotJsonError } from './immutable-json.js';
import type { RequestSchema } from './request-schema.js';
import { nearest, suggest } from './nearest.js';

/** A body may have a million wrong keys; only the first ones are useful to a reader. */
const MAX_ISSUES = 100;

/** One error: the parameter, and a complete sentence about it. */
export interface Issue {
  readonly parameter: string;
  readonly detail: string;
}

/** The errors of a parameter set: one per key, up to 100. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const [first, ...others] = issues;
    super(`${first?.detail ?? 'invalid parameters'}${others.length === 0 ? '' : ` (and ${others.length} more)`}`);
    this.issues = issues;
  }
}

/** The result for one key: a value (undefined: unset), or an error. */
type Reading = { readonly value: unknown } | { readonly detail: string };
type KeyReader = (given: unknown, source: Source) => Reading;

/**
 * Turns raw values into parameters: `null` means unset and is dropped, a single value becomes a list and a number becomes text if the key
 * allows it, aliases are replaced by the key's name, defaults are not added. The result is a deep-frozen copy. Throws `ValidationError`.
 *
 * @param complete adds the parameters that others imply, before it is checked that none is missing; `invalid` keys imply them, too
 */
export function createValidator(
  schema: RequestSchema,
  complete: (params: RenderParams, invalid: ReadonlySet<string>) => RenderParams = (params) => params,
): (raw: unknown, source: Source) => RenderParams {
  const readers = createReaders([...schema.keys].map(([key, { fragment }]) => [key, fragment]));
  const rules = (schema.document.allOf ?? []).map((rule) => ({ rule, check: once(() => compileRule(rule)) }));
  const fragments = Object.fromEntries([...schema.keys].map(([key, { fragment }]) => [key, fragment]));
  const known = {
    noun: 'parameter',
    names: [...schema.keys.keys(), ...schema.absent.flatMap(({ keys }) => keys)],
    absent: schema.absent,
    suggest: (name: string) => suggest(name, { fragments, outputType: schema.spellings.get(name.toLowerCase()) }),
  };
  const read = (key: string, given: unknown, { raw, source }: Request): Reading => {
    const reader = readers.get(key);
    if (reader === undefined) return { detail: explainUnknown(key, known) + lostAmpersand({ raw, source }) };
    if (given === null && schema.document.required.includes(key)) return { value: undefined };
    return key === 'output_type' ? readOutputType(given, source, { reader, schema }) : reader(given, source);
  };

  return (raw, source) => {
    const { params: given, issues } = readAll(raw, (key, value) => read(key, value, { raw, source }));
    const invalid = new Set(issues.map(({ parameter }) => parameter));
    const params = complete(given, invalid);
    for (const parameter of schema.document.required) {
      if (!invalid.has(parameter) && !Object.hasOwn(params, parameter))
        issues.push({ parameter, detail: `${quote(parameter)} is required` });
    }
    for (const { rule, check } of rules) {
      const [parameter = ''] = rule['x-parameters'];
      if (!rule['x-parameters'].some((name) => invalid.has(name)) && check()(params) !== undefined)
        issues.push({ parameter, detail: rule['x-message'] });
    }
    if (issues.length > 0) throw new ValidationError(issues);
    return params;
  };
}

interface Request {
  readonly raw: unknown;
  readonly source: Source;
}

/** The likely cause of an unknown name in a query whose target has a query too: `?url=https://a.test/?x=1&y=2`. */
function lostAmpersand({ raw, source }: Request): string {
  const isLikely = source === 'query' && isObject(raw) && typeof raw['url'] === 'string' && raw['url'].includes('?');
  return isLikely ? '; if it is part of "url", write each & of "url" as %26' : '';
}

/** Throws `SchemaError` for a wrong fragment. Examples of flags are spelled as on the command line: they are not checked. */
export function checkFlags(fragments: Fragments, owner: string): void {
  for (const [key, fragment] of Object.entries(fragments)) compileOwned(fragment, { owner, key });
}

/** The same for startup flags, with the same texts. Undeclared names are errors, too. */
export function createFlagValidator<const F extends Fragments>(fragments: F): (raw: unknown) => InferParams<F> {
  const readers = createReaders(Object.entries(fragments));
  const known = { noun: 'flag', names: Object.keys(fragments) };
  return (raw) => {
    const { params, issues } = readAll(raw, (key, given) => readers.get(key)?.(given, 'flags') ?? { detail: explainUnknown(key, known) });
    if (issues.length > 0) throw new ValidationError(issues);
    // Each value was checked by the fragment that its type is inferred from.
    return params as InferParams<F>;
  };
}

function readAll(
  raw: unknown,
  read: (key: string, given: unknown) => Reading,
): { readonly params: RenderParams; readonly issues: Issue[] } {
  if (!isObject(raw)) throw new ValidationError([{ parameter: '', detail: 'the parameters must be an object' }]);
  const issues: Issue[] = [];
  const values: [string, unknown][] = [];
  for (const parameter of Object.keys(raw)) {
    const reading = read(parameter, raw[parameter]);
    if ('detail' in reading) issues.push({ parameter, detail: reading.detail });
    else if (reading.value !== undefined) values.push([parameter, reading.value]);
    if (issues.length === MAX_ISSUES) throw new ValidationError(issues);
  }
  return { params: Object.freeze(Object.fromEntries(values)), issues };
}

function createReaders(fragments: readonly (readonly [string, Fragment])[]): ReadonlyMap<string, KeyReader> {
  return new Map(fragments.map(([key, fragment]) => [key, createReader(key, fragment)]));
}

function createReader(key: string, fragment: Fragment): KeyReader {
  // A request has few of the keys, and compiling them all takes longer than the rest of a start.
  const check = once(() => compileFragment(fragment));
  const { nullable, 'x-sources': sources } = fragment;
  return (given, source) => {
    if (given === undefined) return { value: undefined };
    if (sources !== undefined && !mayGive(sources, source)) return { detail: explainSource(key, sources) };
    if (given === null) return nullable === false ? { detail: `${quote(key)} must not be null: omit it` } : { value: undefined };
    const value = standIn(given, fragment);
    const error = check()(value);
    return error === undefined ? toImmutable(key, value) : { detail: explainError(key, value, { fragment, error, source }) };
  };
}

/** The expanded value if it is a shorthand, otherwise the value itself. */
function standIn(given: unknown, { 'x-single': single, 'x-number': number }: Fragment): unknown {
  if (single === true && !Array.isArray(given)) return [given];
  return number === true && typeof given === 'number' ? String(given) : given;
}

/** An MCP call has the rights of a JSON body. */
export function mayGive(sources: readonly Source[], source: Source): boolean {
  return sources.includes(source) || (source === 'mcp' && sources.includes('body'));
}

function toImmutable(key: string, value: unknown): Reading {
  try {
    return { value: immutableJson(value) };
  } catch (error) {
    if (error instanceof NotJsonError) return { detail: `${quote(key)} ${error.message}` };
    throw error;
  }
}

function readOutputType(
  given: unknown,
  source: Source,
  { reader, schema }: { readonly reader: KeyReader; readonly schema: RequestSchema },
): Reading {
  if (typeof given !== 'string') return reader(given, source);
  const reading = reader(schema.aliases.get(given) ?? given, source);
  const absent = schema.absent.find(({ outputs }) => outputs.includes(given));
  if (!('detail' in reading)) return reading;
  if (absent === undefined) {
    const meant = schema.spellings.get(given.toLowerCase()) ?? nearestType(given, schema);
    return meant === undefined ? reading : { detail: `${reading.detail}: did you mean "${meant}"?` };
  }
  return { detail: explainMissing(`"output_type" ${quote(given)}`, absent) };
}

function nearestType(given: string, { spellings }: RequestSchema): string | undefined {
  const word = nearest(given, spellings.keys());
  return word === undefined ? undefined : spellings.get(word);
}
