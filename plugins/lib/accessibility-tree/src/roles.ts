/** Roles that say by themselves what a person can do with them. */
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

/** The browser's own helpers, whose content stands in the node above them. */
const HELPERS: ReadonlySet<string> = new Set(['InlineTextBox', 'LineBreak']);

/** They hold others and mean nothing: kept for their name or for what can be done with them. */
const CONTAINERS: ReadonlySet<string> = new Set(['generic', 'none', 'IframePresentational', 'MenuListPopup']);

export function isInteractive(role: string): boolean {
  return INTERACTIVE.has(role);
}

/** Roles whose content may be used otherwise than they are. */
const COMPOSITE: ReadonlySet<string> = new Set(['combobox', 'listbox', 'scrollbar', 'treeitem']);

const PLUGINS: ReadonlySet<string> = new Set(['PluginObject', 'EmbeddedObject']);

/** The element shows something that is no part of the document. */
export function isPlugin(role: string): boolean {
  return PLUGINS.has(role);
}

/** What can be done with the node is what can be done with all that is in it. */
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
