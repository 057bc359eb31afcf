import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { explainFragment } from './explain-fragment.js';
import type { Fragment, Rule } from './fragment.js';
import { FRAGMENT_SCHEMA, RULE_SCHEMA } from './fragment-schema.js';
import { immutableJson } from './immutable-json.js';
import { FORMATS } from './shape.js';

/** Without `allErrors`: each key has its own validator, which finds one error per key, so a long list cannot yield a million errors. */
const OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  ownProperties: true,
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
    'x-reloads',
    'x-paths',
    'x-values',
    'x-synonyms',
    'x-enforces-tiers',
  ],
} as const satisfies Options;

/** Compiles any draft 2020-12 schema. */
const rules = new Ajv2020(OPTIONS);

/** Compiles fragments, which `FRAGMENT_SCHEMA` has checked. Caches every schema object, so a second kernel costs nothing. */
const fragments = new Ajv2020({
  ...OPTIONS,
  strictTypes: true,
  strictRequired: true,
  allowUnionTypes: true,
  validateSchema: false,
  verbose: true,
});
for (const [name, { minimum, maximum }] of Object.entries(FORMATS)) {
  fragments.addFormat(name, { type: 'number', validate: (value) => Number.isInteger(value) && value >= minimum && value <= maximum });
}

/** A compiled schema: returns undefined if the value is valid, otherwise the first error. */
export type Check = (value: unknown) => ErrorObject | undefined;

/** Throws an error that describes the problem of the fragment. */
export function compileFragment(fragment: Fragment): Check {
  assertMatches(fragment, FRAGMENT_SCHEMA);
  const check = toCheck(fragments.compile(fragment));
  const { enum: values = [], default: fallback } = fragment;
  for (const value of fallback === undefined ? values : [...values, fallback]) assertValid(value, check);
  return check;
}

/** Throws an error if a fragment's own value is not one of its valid values. */
export function assertValid(value: unknown, check: Check): void {
  const fault = check(value);
  if (fault !== undefined) throw new Error(`its own value ${JSON.stringify(value)} is not valid: ${fault.message ?? fault.keyword}`);
}

/** Throws an error that describes the problem of the rule. */
export function compileRule(rule: Rule): Check {
  assertMatches(rule, RULE_SCHEMA);
  return toCheck(rules.compile(rule));
}

function assertMatches(value: unknown, schema: object): void {
  immutableJson(value);
  const validate = rules.compile(schema);
  if (!validate(value)) throw new Error(explainFragment(validate.errors ?? []));
}

/** The last error of a failed `anyOf` is the error of the `anyOf` itself. */
function toCheck(validate: ValidateFunction): Check {
  return (value) => {
    if (validate(value)) return undefined;
    const fault = validate.errors?.at(-1);
    // The errors contain the value, which may be large or secret, so they must not outlive the request.
    validate.errors = null;
    return fault;
  };
}
