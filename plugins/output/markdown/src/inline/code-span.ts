/** Code between more backticks than it contains in a row (CommonMark 6.1). */
export function writeCode(code: string): string {
  const ticks = '`'.repeat(longestRun(code, '`') + 1);
  const blankEnds = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return code.startsWith('`') || code.endsWith('`') || blankEnds ? `${ticks} ${code} ${ticks}` : ticks + code + ticks;
}

/** In a table cell a pipe is escaped even in code, but a backslash before it cannot be (GFM 4.10): such code is written as HTML. */
export function writeCellCode(code: string): string {
  if (!code.includes('\\|')) return writeCode(code);
  return `<code>${code.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${String(character.charCodeAt(0))};`)}</code>`;
}

export function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
