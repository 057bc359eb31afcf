/** What would begin a block, or end one, if a line of text began with it. Each with what must not stand as it is. */
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

/** A box of a task list: what has it is no task. */
const AT_FIRST: readonly (readonly [RegExp, string])[] = [[/^\[(?=[ xX]\](?:\s|$))/, '\\[']];

const SUSPECT = /^[-+*_#>=[|:0-9]/;

/** Escapes what a paragraph's lines begin with where it would make them something else. */
export function escapeLineStarts(markdown: string): string {
  if (!markdown.includes('\n') && !SUSPECT.test(markdown)) return markdown;
  return markdown
    .split('\n')
    .map((line, at) => [...ANYWHERE, ...(at === 0 ? AT_FIRST : AFTER_TEXT)].reduce(escapeStart, line))
    .join('\n');
}

/** One escape is enough: what has one begins with it. */
function escapeStart(line: string, [pattern, replacement]: readonly [RegExp, string]): string {
  return line.startsWith('\\') ? line : line.replace(pattern, replacement);
}
