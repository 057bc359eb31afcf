import type { Kernel } from '@platen/kernel';

const MIB = 1024 * 1024;
const BODY_LIMIT = 8 * MIB;
/** Where storage is posted: this much besides the storage itself. */
const STORAGE_BODY_LIMIT = 64 * MIB;
const STORAGE_LIMIT = 64 * MIB;

/** Bytes that a body may have: more where a browser's storage is posted with it. */
export function limitOfBody({ plugins }: Pick<Kernel, 'plugins'>): number {
  const takesStorage = plugins.some(({ definition }) => Object.hasOwn(definition.params ?? {}, 'with_storage'));
  return takesStorage ? STORAGE_BODY_LIMIT + STORAGE_LIMIT : BODY_LIMIT;
}
