import { type Kernel, PlatenError } from '@platen/kernel';

const MIB = 1024 * 1024;
/** Maximum bytes of a body without storage and files. */
export const BODY_LIMIT = 8 * MIB;
/** If storage or files are posted: bytes in addition to the storage itself. */
const STORAGE_BODY_LIMIT = 64 * MIB;
const STORAGE_LIMIT = 64 * MIB;
/** Maximum bytes of any body. */
export const LARGEST_BODY = STORAGE_BODY_LIMIT + STORAGE_LIMIT;

/** The parameters whose values are large if they are objects. */
const LARGE_KEYS = ['with_storage', 'navigator_file'] as const;

/** Largest bodies in bytes. */
export interface BodyLimits {
  readonly plain: number;
  /** The limit of a body that contains browser storage; undefined if no body may. */
  readonly storage?: number;
}

export function limitsOfBody({ plugins }: Pick<Kernel, 'plugins'>): BodyLimits {
  const takesLarge = plugins.some(({ definition: { params = {} } }) => LARGE_KEYS.some((key) => Object.hasOwn(params, key)));
  return takesLarge ? { plain: BODY_LIMIT, storage: LARGEST_BODY } : { plain: BODY_LIMIT };
}

/** The limit before a body is read. */
export function limitOfBody(kernel: Pick<Kernel, 'plugins'>): number {
  const { plain, storage = plain } = limitsOfBody(kernel);
  return storage;
}

/** Throws a 413 if a large body contains none of the keys: it is not worth parsing. */
export function assertMayBeLarge(bytes: Buffer): void {
  if (bytes.length > BODY_LIMIT && !LARGE_KEYS.some((key) => bytes.includes(`"${key}"`))) throw tooLarge();
}

/** Throws a 413 if a parsed body of this size contains neither storage nor files. */
export function assertHasLarge(body: unknown, length: number): void {
  if (length > BODY_LIMIT && !LARGE_KEYS.some((key) => isObjectAt(body, key))) throw tooLarge();
}

function isObjectAt(body: unknown, key: string): boolean {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'object' && value !== null;
}

function tooLarge(): PlatenError {
  return new PlatenError(
    'payload_too_large',
    `the body is larger than ${String(BODY_LIMIT)} bytes, the limit for a body without ${LARGE_KEYS.map((key) => `"${key}"`).join(' or ')}`,
  );
}
