/** Lines of text in the making: inline text is gathered until something begins a line of its own. */
export interface Flow {
  /** Text whose white space collapses. */
  write(text: string): void;
  /** Text that stands as it is, except for what would join the word before. */
  breakLine(): void;
  /** Ends the line; before the next one stand as many line breaks, one of them the end of this one. */
  separate(breaks: 1 | 2): void;
  /** Whole lines, set apart like `separate`. */
  add(lines: readonly string[], breaks: 1 | 2): void;
  /** Ends it. */
  lines(): readonly string[];
}

/** White space that HTML collapses: a no-break space is none of it. */
const WHITE = /[ \t\n\r\f]+/g;

export function createFlow(): Flow {
  const done: string[] = [];
  let line = '';
  let gap = 0;

  const begin = () => {
    if (done.length > 0 && gap > 1 && done.at(-1) !== '') done.push('');
    gap = 0;
  };
  const end = () => {
    const text = trimLine(line);
    line = '';
    if (text !== '') done.push(text);
  };

  return {
    write(text) {
      const collapsed = text.replaceAll(WHITE, ' ');
      const joined = line === '' || line.endsWith(' ') ? collapsed.replace(/^ /, '') : collapsed;
      if (joined === '') return;
      if (line === '') begin();
      line += joined;
    },
    breakLine() {
      if (line.trim() !== '') end();
      // More than one empty line says no more than one.
      else if (done.length > 0 && done.at(-1) !== '') gap = 2;
    },
    separate(breaks) {
      end();
      gap = Math.max(gap, breaks);
    },
    add(lines, breaks) {
      end();
      gap = Math.max(gap, breaks);
      if (lines.length > 0) {
        begin();
        for (const whole of lines) done.push(whole);
      }
      gap = Math.max(gap, breaks);
    },
    lines() {
      end();
      return done;
    },
  };
}

/** Ends a line where its text ends: a no-break space at its end is as little seen as any other. */
export function trimLine(text: string): string {
  return text.replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/, '');
}
