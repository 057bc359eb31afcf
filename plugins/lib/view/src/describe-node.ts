import { withoutUserinfo } from '@platen/kernel';
import { isInteractive, type TreeNode, type TreeState } from '@platen/lib-accessibility-tree';
import { nameOf } from './actionable.js';

/** Characters of a name or text; longer ones end in "…". */
const MAX_TEXT = 2_000;
const MAX_URL = 500;
const MAX_OPTIONS = 30;

const NAMES: Readonly<Record<string, string>> = {
  StaticText: 'text',
  LabelText: 'text',
  LayoutTableCell: 'text',
  Iframe: 'iframe',
  DisclosureTriangle: 'summary',
  PopUpButton: 'combobox',
  Date: 'datebox',
  DateTime: 'datebox',
  InputTime: 'timebox',
  ColorWell: 'colorbox',
};

export interface NodeFacts {
  readonly ref: string | undefined;
  /** Origin of the page. Links of the same origin are written without it. */
  readonly origin: string;
  /** False if the lines below say the same. */
  readonly isNamed: boolean;
  /** Applied to every text. */
  readonly redact: (text: string) => string;
}

/** Names that only the browser has for what is in a document (`LabelText`, `Canvas`) begin with a capital letter. One line: `role "name" [ref=e1] [state] attribute="value"`. */
export function describeNode(node: TreeNode, { ref, origin, isNamed, redact }: NodeFacts): string {
  const { role, cursor, attrs, value } = node;
  const isPlain = !isInteractive(role) && !/^(?!generic$|none$)[a-z]/.test(role);
  const name = nameOf(node);
  const quote = (text: string) => `"${cut(redactLine(text, redact), MAX_TEXT).replace(/["\\]/g, '\\$&')}"`;
  const parts = [isPlain && cursor !== undefined ? (cursor === 'drag' ? 'clickable' : cursor) : (NAMES[role] ?? role.toLowerCase())];
  if (isNamed && oneLine(name) !== '') parts.push(quote(name));
  if (ref !== undefined) parts.push(`[ref=${ref}]`);
  for (const state of statesOf(node)) parts.push(`[${state}]`);
  const url = role === 'link' || role === 'Iframe' ? urlOf(node, { origin, redact }) : undefined;
  if (url !== undefined) parts.push(`url=${url}`);
  const shown = isField(node) && value !== undefined ? oneLine(String(value)) : '';
  if (shown !== '' && shown !== oneLine(name)) parts.push(`value=${quote(shown)}`);
  if (attrs.placeholder !== undefined && oneLine(attrs.placeholder) !== oneLine(name))
    parts.push(`placeholder=${quote(attrs.placeholder)}`);
  const options = closedOptions(node);
  if (options.length > 0) parts.push(`options=${describeOptions(options, quote)}`);
  return parts.join(' ');
}

function isField({ role }: TreeNode): boolean {
  return !['link', 'heading', 'button', 'StaticText', 'image', 'listitem'].includes(role);
}

function urlOf({ url }: TreeNode, { origin, redact }: Pick<NodeFacts, 'origin' | 'redact'>): string | undefined {
  if (url === undefined || /^javascript:/i.test(url)) return undefined;
  const shown = redact(withoutUserinfo(url));
  return shortenUrl(shown.startsWith(`${origin}/`) ? shown.slice(origin.length) : shown);
}

/** Without credentials, without the data of a `data:` URL, and with an upper limit. */
export function shortenUrl(url: string): string {
  const [head = url] = /^data:[^,]*,/i.exec(url) ?? [];
  return cut(withoutUserinfo(url), head === url ? MAX_URL : head.length).replace(/\s/g, '%20');
}

/** Levels of other roles are their nesting. */
function statesOf({ role, state }: TreeNode): readonly string[] {
  const flags = ['disabled', 'required', 'readonly', 'invalid', 'focused', 'modal', 'busy'] as const;
  return [
    ...(role === 'heading' && state.level !== undefined ? [`level=${String(state.level)}`] : []),
    ...choice('checked', state.checked),
    ...choice('pressed', state.pressed),
    ...(state.expanded === undefined ? [] : [state.expanded ? 'expanded' : 'expanded=false']),
    ...(state.selected === true ? ['selected'] : []),
    ...flags.filter((flag) => state[flag] !== undefined),
  ];
}

function choice(name: string, value: TreeState['checked']): readonly string[] {
  return value === undefined || value === false ? [] : [value === 'mixed' ? `${name}=mixed` : name];
}

/** Options of a closed list have no box. Those that the open list lacks have a name, but none that is shown. */
function closedOptions(node: TreeNode): readonly TreeNode[] {
  if (node.role !== 'combobox' && node.role !== 'PopUpButton') return [];
  const visit = ({ children }: TreeNode): readonly TreeNode[] =>
    children.flatMap((child) => (child.role === 'option' && child.bounds === null ? [child].filter(isListed) : visit(child)));
  return visit(node);
}

function isListed(option: TreeNode): boolean {
  return option.name === '' || nameOf(option) !== '';
}

function describeOptions(options: readonly TreeNode[], quote: (text: string) => string): string {
  const shown = options.slice(0, MAX_OPTIONS).map((option) => quote(nameOf(option)));
  const more = options.length - shown.length;
  return `[${shown.join(', ')}${more > 0 ? `, … ${String(more)} more` : ''}]`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** Each run of white space and control characters becomes one space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** On one line, redacted as the page writes the text, or else as the line does. */
export function redactLine(text: string, redact: (text: string) => string): string {
  const redacted = redact(text);
  return redacted === text ? redact(oneLine(text)) : oneLine(redacted);
}
