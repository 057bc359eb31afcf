export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path; an empty object if it does not exist. */
export function objectAt(root: unknown, ...path: readonly string[]): Json {
  const found = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
  return isObject(found) ? found : {};
}

export function listAt(root: Json, name: string): readonly unknown[] {
  const found = root[name];
  return Array.isArray(found) ? found : [];
}

export function textAt(root: Json, name: string): string {
  const found = root[name];
  return typeof found === 'string' ? found : '';
}

const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** A number for a query string: without an exponent, which the server accepts only in JSON. */
function showNumber(value: number): string {
  const text = String(value);
  const [, sign, first, fraction = '', exponent] = EXPONENTIAL.exec(text) ?? [];
  if (sign === undefined || first === undefined) return text;
  const digits = `${first}${fraction}`;
  const places = Number(exponent);
  return places < 0 ? `${sign}0.${digits.padStart(digits.length - places - 1, '0')}` : `${sign}${digits.padEnd(places + 1, '0')}`;
}

/** A value as text for the form and for a query string. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return showNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function numberAt(root: Json, name: string): number | undefined {
  const found = root[name];
  return typeof found === 'number' ? found : undefined;
}
