import type { BaseRenderContext, ContextKey } from './context.js';

/** Values by key; those of the outer context are visible, and can be replaced only for this one. */
export function createValues(outer?: Pick<BaseRenderContext, 'get'>): Pick<BaseRenderContext, 'get' | 'set'> {
  const values = new Map<ContextKey<unknown>, unknown>();
  return {
    // A key carries its value's type, and `set` is the only way in.
    get: <T>(key: ContextKey<T>) => (values.has(key) ? (values.get(key) as T | undefined) : outer?.get(key)),
    set(key, value) {
      values.set(key, value);
    },
  };
}
