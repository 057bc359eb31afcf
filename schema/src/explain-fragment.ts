import type { ErrorObject } from 'ajv/dist/2020.js';
import { explainUnknown, nameOf, quote } from './explain.js';
import { KEY_ONLY, NESTED } from './fragment-schema.js';

/** Keywords that only summarize other, more specific errors. */
const SUMMARIES: readonly string[] = ['anyOf', 'dependentSchemas'];

/** Of several errors in the same place, those with a name are the most specific. */
const NAMING: readonly string[] = ['additionalProperties', 'enum'];

/** Describes the change that a fragment or rule needs; `faults` are the errors of the first failed keyword, with its branches. */
export function explainFragment(faults: readonly ErrorObject[]): string {
  const causes = faults.filter(({ keyword }) => !SUMMARIES.includes(keyword));
  const deepest = Math.max(...causes.map(depthOf));
  const candidates = causes.filter((fault) => depthOf(fault) === deepest);
  const told = NAMING.flatMap((keyword) => candidates.find((fault) => fault.keyword === keyword) ?? []).slice(0, 1);
  return (told.length === 0 ? candidates : told).map(phrase).join(', or ');
}

function depthOf({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length;
}

function phrase(fault: ErrorObject): string {
  const { keyword, params, instancePath, message } = fault;
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
  if (keyword in KEY_ONLY) return `${where}the keyword ${quote(keyword)} is one of a whole parameter`;
  const names = Object.keys(place === undefined ? { ...NESTED, ...KEY_ONLY } : NESTED);
  return where + explainUnknown(keyword, { noun: 'keyword', names });
}

/** `"items.type"`; undefined for the fragment itself. */
function placeOf(pointer: string): string | undefined {
  const [, first, ...rest] = pointer.split('/');
  return first === undefined ? undefined : nameOf(first, ['', ...rest].join('/'));
}
