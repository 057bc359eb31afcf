/** Builds lines of text: collects inline text until something begins a new line. */
export interface Flow {
  /** Text whose white space collapses. */
  write(text: string): void;
  /** Preformatted text; only the preceding word may need a separator. */
  breakLine(): void;
  /** Ends the line; the next line comes after this many line breaks, including the one that ends this line. */
  separate(breaks: 1 | 2): void;
  /** Whole lines, separated like `separate`. */
  add(lines: readonly string[], breaks: 1 | 2): void;
  /** Ends the text. */
  lines(): readonly string[];
}

/** White space that HTML collapses: a no-break space is not included. */
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
      // Collapses several empty lines into one.
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

/** Trims the end of a line: a no-break space there is as invisible as any other. */
export function trimLine(text: string): string {
  return text.replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/, '');
}
