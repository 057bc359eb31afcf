import { type Kernel, PlatenError } from '@platen/kernel';

const MIB = 1024 * 1024;
/** Maximum bytes of a body without storage. */
export const BODY_LIMIT = 8 * MIB;
/** If storage is posted: bytes in addition to the storage itself. */
const STORAGE_BODY_LIMIT = 64 * MIB;
const STORAGE_LIMIT = 64 * MIB;
/** Maximum bytes of any body. */
export const LARGEST_BODY = STORAGE_BODY_LIMIT + STORAGE_LIMIT;

const STORAGE_KEY = 'with_storage';

/** Largest bodies in bytes. */
export interface BodyLimits {
  readonly plain: number;
  /** The limit of a body that contains browser storage; undefined if no body may. */
  readonly storage?: number;
}

export function limitsOfBody({ plugins }: Pick<Kernel, 'plugins'>): BodyLimits {
  const takesStorage = plugins.some(({ definition }) => Object.hasOwn(definition.params ?? {}, STORAGE_KEY));
  return takesStorage ? { plain: BODY_LIMIT, storage: LARGEST_BODY } : { plain: BODY_LIMIT };
}

/** The limit before a body is read. */
export function limitOfBody(kernel: Pick<Kernel, 'plugins'>): number {
  const { plain, storage = plain } = limitsOfBody(kernel);
  return storage;
}

/** Throws a 413 if a large body does not contain the storage key: it is not worth parsing. */
export function assertMayBeLarge(bytes: Buffer): void {
  if (bytes.length > BODY_LIMIT && !bytes.includes(`"${STORAGE_KEY}"`)) throw tooLargeWithoutStorage();
}

/** Throws a 413 if a parsed body of this size contains no storage. */
export function assertLargeForStorage(body: unknown, length: number): void {
  if (length > BODY_LIMIT && !postsStorage(body)) throw tooLargeWithoutStorage();
}

function postsStorage(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !(STORAGE_KEY in body)) return false;
  return typeof body[STORAGE_KEY] === 'object' && body[STORAGE_KEY] !== null;
}

function tooLargeWithoutStorage(): PlatenError {
  return new PlatenError(
    'payload_too_large',
    `the body is larger than ${String(BODY_LIMIT)} bytes, the limit for a body without "${STORAGE_KEY}"`,
  );
}
