import type { Result } from '@platen/kernel';
import type { TreeState } from './tree-capture.js';

/** A node of the browser's accessibility tree. */
export type AxNode = Result<'Accessibility.getFullAXTree'>['nodes'][number];

export function roleOf(node: AxNode | undefined): string {
  const role: unknown = node?.role?.value;
  return typeof role === 'string' ? role : '';
}

/** Part of a name or description; empty if there is none. */
export function textOf(value: AxNode['name']): string {
  const text: unknown = value?.value;
  return typeof text === 'string' ? text : '';
}

/** Roles that imply how a user can interact with them. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'ColorWell',
  'combobox',
  'Date',
  'DateTime',
  'DisclosureTriangle',
  'InputTime',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'PopUpButton',
  'radio',
  'scrollbar',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
]);

/** Roles whose content may have actions other than their own. */
const COMPOSITE: ReadonlySet<string> = new Set(['combobox', 'listbox', 'scrollbar', 'treeitem']);

/** The browser's helper nodes, whose content belongs to the parent node. */
const HELPERS: ReadonlySet<string> = new Set(['InlineTextBox', 'LineBreak']);

/** Pure containers: included only for their name or their actions. */
const CONTAINERS: ReadonlySet<string> = new Set(['generic', 'none', 'IframePresentational', 'MenuListPopup']);

const PLUGINS: ReadonlySet<string> = new Set(['PluginObject', 'EmbeddedObject']);

export function isInteractive(role: string): boolean {
  return INTERACTIVE.has(role);
}

/** The node's actions are those of all its content. */
export function hasContentActions(role: string): boolean {
  return INTERACTIVE.has(role) && !COMPOSITE.has(role);
}

export function isText(role: string): boolean {
  return role === 'StaticText';
}

export function isHelper(role: string): boolean {
  return HELPERS.has(role);
}

export function isContainer(role: string): boolean {
  return CONTAINERS.has(role);
}

/** The element shows something that is not part of the document. */
export function isPlugin(role: string): boolean {
  return PLUGINS.has(role);
}

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
const OWN_STATES: readonly (keyof TreeState)[] = ['live', 'busy', 'invalid', 'hasPopup', 'keyshortcuts', 'roledescription'];

/** Whether the state is a reason to include a container. */
export function hasOwnState(state: TreeState): boolean {
  return state !== NOTHING && OWN_STATES.some((name) => state[name] !== undefined);
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
