import { type Kernel, PlatenError } from '@platen/kernel';

const MIB = 1024 * 1024;
/** Maximum bytes of a body without a large parameter. */
export const BODY_LIMIT = 8 * MIB;
/** Maximum bytes of any body. */
export const LARGEST_BODY = 128 * MIB;

/** Largest bodies in bytes. */
export interface BodyLimits {
  readonly plain: number;
  /** The limit of a body that holds a large parameter, such as browser storage or files; undefined if no body may. */
  readonly large?: number;
}

/** The parameters whose values may be large, as texts or objects. */
export function largeKeysOf({ schema }: Pick<Kernel, 'schema'>): readonly string[] {
  return [...schema.keys].filter(([, { fragment }]) => fragment['x-large'] === true).map(([key]) => key);
}

export function limitsOfBody(largeKeys: readonly string[]): BodyLimits {
  return largeKeys.length === 0 ? { plain: BODY_LIMIT } : { plain: BODY_LIMIT, large: LARGEST_BODY };
}

/** Throws a 413 if a large body contains none of the keys: it is not worth parsing. */
export function assertMayBeLarge(bytes: Buffer, largeKeys: readonly string[]): void {
  if (bytes.length > BODY_LIMIT && !largeKeys.some((key) => bytes.includes(`"${key}"`))) throw tooLarge(largeKeys);
}

/** Throws a 413 if the parameters of a body of this size have no text or object at any of the keys. */
export function assertHasLarge(params: unknown, length: number, largeKeys: readonly string[]): void {
  if (length > BODY_LIMIT && !largeKeys.some((key) => isLarge(memberOf(params, key)))) throw tooLarge(largeKeys);
}

export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function isLarge(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function tooLarge(largeKeys: readonly string[]): PlatenError {
  const names = largeKeys.map((key) => `"${key}"`).join(' or ');
  return new PlatenError(
    'payload_too_large',
    `the body is larger than ${String(BODY_LIMIT)} bytes, the limit for a body${names === '' ? '' : ` without ${names}`}`,
  );
}
