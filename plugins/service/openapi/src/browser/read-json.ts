export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path of names; an empty one where there is none. */
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

/** A value as a form shows it. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function numberAt(root: Json, name: string): number | undefined {
  const found = root[name];
  return typeof found === 'number' ? found : undefined;
}
