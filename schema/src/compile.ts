import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS, type Fragment, type Rule } from './fragment.js';
import { FRAGMENT_SCHEMA, KEY_ONLY, NESTED, RULE_SCHEMA } from './fragment-schema.js';
import { immutableJson } from './immutable-json.js';
import { explainUnknown, nameOf, quote, type Violation } from './explain.js';

/** Keywords that only summarize other, more specific errors. */
const SUMMARIES: readonly string[] = ['anyOf', 'dependentSchemas'];

/** Of several errors in the same place, those with a name are the most specific. */
const NAMING: readonly string[] = ['additionalProperties', 'enum'];

/** Without `allErrors`: each key has its own validator, which finds one error per key, so a long list cannot yield a million errors. */
const OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  ownProperties: true,
  // Optimizing takes a third of the time to compile hundreds of validators, each for a short value.
  code: { optimize: false },
  logger: false,
  keywords: [
    'x-message',
    'x-parameters',
    'x-expects',
    'x-refuses-empty',
    'x-single',
    'x-number',
    'x-tier',
    'x-sources',
    'x-secret',
    'x-uncached',
    'x-extension',
    'x-large',
    'x-file',
    'x-at-file',
    'x-code',
    'x-tools',
    'x-reloads',
    'x-paths',
    'x-values',
    'x-synonyms',
    'x-search',
    'x-enforces-tiers',
  ],
} as const satisfies Options;

/** Of any draft 2020-12 schema. Both compilers are made when they are first used: that takes 10 ms each. */
const ruleCompiler = once(() => new Ajv2020(OPTIONS));

/** Of fragments, which `FRAGMENT_SCHEMA` has checked. Caches every schema object, so a second kernel costs nothing. */
const fragmentCompiler = once(() => {
  const compiler = new Ajv2020({
    ...OPTIONS,
    strictTypes: true,
    strictRequired: true,
    allowUnionTypes: true,
    validateSchema: false,
    verbose: true,
  });
  for (const [name, { minimum, maximum }] of Object.entries(FORMATS)) {
    compiler.addFormat(name, { type: 'number', validate: (value) => Number.isInteger(value) && value >= minimum && value <= maximum });
  }
  return compiler;
});

/** Makes a value when it is first used. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A compiled schema: returns undefined if the value is valid, otherwise the first error. */
export type Check = (value: unknown) => Violation | undefined;

/** Compiles a fragment that was checked before, here or when its package was built. */
export function compileFragment(fragment: Fragment): Check {
  return toCheck(fragmentCompiler().compile(fragment));
}

/** Throws an error that describes the problem of the fragment. */
function compileAnyFragment(fragment: Fragment): Check {
  assertMatches(fragment, FRAGMENT_SCHEMA);
  const check = compileFragment(fragment);
  const { enum: values = [], default: fallback } = fragment;
  for (const value of fallback === undefined ? values : [...values, fallback]) assertValid(value, check);
  return check;
}

/** Throws an error if a fragment's own value is not one of its valid values. */
export function assertValid(value: unknown, check: Check): void {
  const error = check(value);
  if (error !== undefined) throw new Error(`its own value ${JSON.stringify(value)} is not valid: ${error.message ?? error.keyword}`);
}

/** Compiles a rule that was checked before. */
export function compileRule(rule: Rule): Check {
  return toCheck(ruleCompiler().compile(rule));
}

/** Throws an error that describes the problem of the rule. */
export function assertRule(rule: Rule): void {
  assertMatches(rule, RULE_SCHEMA);
  compileRule(rule);
}

function assertMatches(value: unknown, schema: object): void {
  immutableJson(value);
  const validate = ruleCompiler().compile(schema);
  if (!validate(value)) throw new Error(explainFragment(validate.errors ?? []));
}

/** The last error of a failed `anyOf` is the error of the `anyOf` itself. */
function toCheck(validate: ValidateFunction): Check {
  return (value) => {
    if (validate(value)) return undefined;
    const error = validate.errors?.at(-1);
    // The errors contain the value, which may be large or secret, so they must not outlive the request.
    validate.errors = null;
    return error;
  };
}

/** Describes the change that a fragment or rule needs; `errors` are those of the first failed keyword, with its branches. */
function explainFragment(errors: readonly Violation[]): string {
  const causes = errors.filter(({ keyword }) => !SUMMARIES.includes(keyword));
  const deepest = Math.max(...causes.map(depthOf));
  const candidates = causes.filter((error) => depthOf(error) === deepest);
  const named = NAMING.flatMap((keyword) => candidates.find((error) => error.keyword === keyword) ?? []).slice(0, 1);
  return (named.length === 0 ? candidates : named).map(phrase).join(', or ');
}

function depthOf({ instancePath }: Violation): number {
  return instancePath.split('/').length;
}

function phrase(error: Violation): string {
  const { keyword, params, instancePath, message } = error;
  const place = placeOf(instancePath);
  if (keyword === 'additionalProperties') return unknownKeyword(String(params.additionalProperty), place);
  const subject = place ?? 'it';
  // The validator's own form of these parameters.
  if (keyword === 'enum') return `${subject} must be one of: ${(params.allowedValues as readonly unknown[]).join(', ')}`;
  if (keyword === 'const') return `${subject} must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === 'required') return `${subject} must have ${quote(String(params.missingProperty))}`;
  return `${subject} ${message ?? keyword}`;
}

function unknownKeyword(keyword: string, place: string | undefined): string {
  const where = place === undefined ? '' : `in ${place}: `;
  if (keyword in KEY_ONLY) return `${where}the keyword ${quote(keyword)} is allowed only for a whole parameter`;
  const names = Object.keys(place === undefined ? { ...NESTED, ...KEY_ONLY } : NESTED);
  return where + explainUnknown(keyword, { noun: 'keyword', names });
}

/** `"items.type"`; undefined for the fragment itself. */
function placeOf(pointer: string): string | undefined {
  const [, first, ...rest] = pointer.split('/');
  return first === undefined ? undefined : nameOf(first, ['', ...rest].join('/'));
}

/** Conflicting parts, or an invalid part: aborts the startup. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code: 'duplicate_key' | 'duplicate_output' | 'invalid_fragment';
  /** The owner that declared it; both owners of a duplicate. */
  readonly owners: readonly string[];
  /** The key or output type. */
  readonly subject: string;

  constructor(code: SchemaError['code'], message: string, { owners, subject, cause }: SchemaErrorOptions) {
    super(message, { cause });
    this.code = code;
    this.owners = owners;
    this.subject = subject;
  }
}

interface SchemaErrorOptions {
  readonly owners: readonly string[];
  readonly subject: string;
  readonly cause?: unknown;
}

export function invalidFragment(owner: string, subject: string, cause: unknown): SchemaError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SchemaError('invalid_fragment', `"${owner}" declares "${subject}" wrongly: ${reason}`, { owners: [owner], subject, cause });
}

/** Checks and compiles an owner's declaration; throws `invalid_fragment`. */
export function compileOwned(fragment: Fragment, { owner, key }: { readonly owner: string; readonly key: string }): Check {
  try {
    return compileAnyFragment(fragment);
  } catch (error) {
    throw invalidFragment(owner, key, error);
  }
}
