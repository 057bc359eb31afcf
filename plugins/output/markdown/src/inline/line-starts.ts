/** Text at the start of a line that would begin or end a block, with the character to escape. */
const ANYWHERE: readonly (readonly [RegExp, string])[] = [
  // Bullets and thematic breaks.
  [/^[-+*](?=\s|$)/, '\\$&'],
  [/^(?=([-_*])(?: *\1){2,} *$)/, '\\'],
  [/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'],
  [/^#{1,6}(?=\s|$)/, '\\$&'],
  [/^>/, '\\>'],
  // A link reference definition.
  [/^\[(?=(?:[^[\]\\]|\\.)+\]:)/, '\\['],
  // The delimiter row of a table.
  [/^(?=[|:-])(?=[\s|:]*-)(?=[\s|:-]*$)/, '\\'],
];

/** The underline of a heading. */
const AFTER_TEXT: readonly (readonly [RegExp, string])[] = [[/^(?==+\s*$)/, '\\']];

/** A check box of a task list: text that begins with it is not a task. */
const AT_FIRST: readonly (readonly [RegExp, string])[] = [[/^\[(?=[ xX]\](?:\s|$))/, '\\[']];

const SUSPECT = /^[-+*_#>=[|:0-9]/;

/** Escapes the beginnings of a paragraph's lines where they would change its meaning. */
export function escapeLineStarts(markdown: string): string {
  if (!markdown.includes('\n') && !SUSPECT.test(markdown)) return markdown;
  return markdown
    .split('\n')
    .map((line, at) => [...ANYWHERE, ...(at === 0 ? AT_FIRST : AFTER_TEXT)].reduce(escapeStart, line))
    .join('\n');
}

/** One escape is enough: an escaped line begins with it. */
function escapeStart(line: string, [pattern, replacement]: readonly [RegExp, string]): string {
  return line.startsWith('\\') ? line : line.replace(pattern, replacement);
}
