import { invalidParameter, PlatenError, type InferParams, type PlanDraft } from '@platen/kernel';
import { findFault } from './check-state.js';
import { DEFAULT_LIMIT, type PARAMS } from './params.js';
import type { StorageState } from './state.js';

type Params = InferParams<typeof PARAMS>;

/** Rejects a state that is too large or that is invalid in every browser. */
export function planStorage({ params }: Pick<PlanDraft<Params>, 'params'>): void {
  const state = stateOf(params);
  if (state === undefined) return;
  const limit = params.storage_limit ?? DEFAULT_LIMIT;
  const bytes = Buffer.byteLength(JSON.stringify(state));
  if (bytes > limit) {
    const detail = `"with_storage" has ${String(bytes)} bytes, more than "storage_limit" allows: ${String(limit)}`;
    throw new PlatenError('payload_too_large', detail, { errors: [{ parameter: 'with_storage', detail }] });
  }
  const fault = findFault(state);
  if (fault !== undefined) throw refuseState(fault.path, fault.detail);
}

/** The state in the request; undefined if there is none. */
export function stateOf({ with_storage: given }: Params): StorageState | undefined {
  // The schema has already validated the type.
  return typeof given === 'object' ? given : undefined;
}

export function refuseState(path: string, detail: string): PlatenError {
  return invalidParameter('with_storage', `"with_storage.${path}" ${detail}`);
}
