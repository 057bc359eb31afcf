import { join, relative } from 'node:path';
import { ROOT } from '../../architecture/workspaces.js';

/** The folder of the generated pages. */
export const FOLDER = join(ROOT, 'server/docs/reference');

export function code(text: string): string {
  return `\`${text}\``;
}

export function codes(texts: Iterable<string>): string {
  return [...texts].map(code).join(', ');
}

/** A value as a client writes it. */
export function literal(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A literal with a tick would end at it.
  return text.includes('`') ? `\`\` ${text} \`\`` : code(text);
}

export function bullets(items: readonly (string | undefined)[]): string {
  return items
    .filter((item) => item !== undefined)
    .map((item) => `- ${item}\n`)
    .join('');
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escapeText(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('');
}

/** Text of a definition: a site would read `<name>` as HTML. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('');
}

/** A link from a generated page to a file of the repository. */
export function linkTo(text: string, path: string): string {
  return `[${text}](${relative(FOLDER, join(ROOT, path))})`;
}

/** Link to the README of a plugin's package. */
export function linkToPlugin(name: string, packages: ReadonlyMap<string, string>): string {
  const folder = packages.get(name);
  return folder === undefined ? name : linkTo(name, join(folder, 'README.md'));
}
