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

/** The browser's helper nodes, whose content belongs to the parent node. */
const HELPERS: ReadonlySet<string> = new Set(['InlineTextBox', 'LineBreak']);

/** Pure containers: included only for their name or their actions. */
const CONTAINERS: ReadonlySet<string> = new Set(['generic', 'none', 'IframePresentational', 'MenuListPopup']);

export function isInteractive(role: string): boolean {
  return INTERACTIVE.has(role);
}

/** Roles whose content may have actions other than their own. */
const COMPOSITE: ReadonlySet<string> = new Set(['combobox', 'listbox', 'scrollbar', 'treeitem']);

const PLUGINS: ReadonlySet<string> = new Set(['PluginObject', 'EmbeddedObject']);

/** The element shows something that is not part of the document. */
export function isPlugin(role: string): boolean {
  return PLUGINS.has(role);
}

/** The node's actions are those of all its content. */
export function speaksForContent(role: string): boolean {
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
