import type { AxNode } from './load-frames.js';
import type { TreeState } from './tree-capture.js';

const NOTHING: TreeState = {};

/** A node's properties from the protocol's Accessibility domain, without properties that carry no information. */
export function readState({ properties = [] }: AxNode): TreeState {
  if (properties.length === 0) return NOTHING;
  const state: Record<string, string | number | boolean> = {};
  for (const { name, value } of properties) {
    const read = READERS.get(name)?.(value.value);
    if (read !== undefined) state[name] = read;
  }
  return state;
}

/** Properties that a container has itself; it inherits the other members or gets them from its actions. */
const TELLING: readonly (keyof TreeState)[] = ['live', 'busy', 'invalid', 'hasPopup', 'keyshortcuts', 'roledescription'];

/** Properties that matter even if nothing else is known about the node. */
export function isTelling(state: TreeState): boolean {
  return state !== NOTHING && TELLING.some((name) => state[name] !== undefined);
}

type Reader = (value: unknown) => string | number | boolean | undefined;

/** The browser writes `busy` as a number. */
const flag: Reader = (value) => (value === true || value === 1 ? true : undefined);
const choice: Reader = (value) => (typeof value === 'boolean' ? value : undefined);
const tristate: Reader = (value) => (value === 'mixed' ? 'mixed' : value === undefined ? undefined : value === true || value === 'true');
const number: Reader = (value) => (typeof value === 'number' ? value : undefined);
const text: Reader = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
const unless =
  (nothing: string): Reader =>
  (value) =>
    value === nothing ? undefined : text(value);
const invalid: Reader = (value) => (value === 'true' ? true : unless('false')(value));

const READERS: ReadonlyMap<string, Reader> = new Map<keyof TreeState, Reader>([
  ['level', number],
  ['checked', tristate],
  ['expanded', choice],
  ['selected', choice],
  ['disabled', flag],
  ['required', flag],
  ['pressed', tristate],
  ['readonly', flag],
  ['invalid', invalid],
  ['focused', flag],
  ['multiline', flag],
  ['multiselectable', flag],
  ['modal', flag],
  ['live', unless('off')],
  ['atomic', flag],
  ['busy', flag],
  ['valuemin', number],
  ['valuemax', number],
  ['valuetext', text],
  ['hasPopup', unless('false')],
  ['autocomplete', unless('none')],
  ['orientation', text],
  ['roledescription', text],
  ['keyshortcuts', text],
]);
