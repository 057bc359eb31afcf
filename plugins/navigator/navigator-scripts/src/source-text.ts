import type { Redact, Script } from './script.js';

/** Writes texts that others have chosen as source text. No credential is in the result. */
export interface SourceText {
  /** A string literal. */
  quote(text: string): string;
  /** A comment line. */
  comment(text: string): string;
  /** An expression for a value as the navigator gave it. */
  value(value: string, written?: string): string;
  /** The value itself, for places without expressions, such as selectors. */
  plain(value: string): string;
}

export function createSourceText(redact: Redact, data: Script['data']): SourceText {
  // The text is redacted, not the source: a credential may be a word of the program.
  const quote = (text: string) => {
    const literal = JSON.stringify(redact(text));
    // Selectors with quotes are easier to read so.
    return literal.includes("'") ? literal : `'${literal.slice(1, -1).replaceAll('\\"', '"')}'`;
  };
  return {
    quote,
    comment(text) {
      const line = redact(text).replace(/[\s\p{Cc}]+/gu, ' ');
      return `// ${line.trim().slice(0, 200)}`;
    },
    value(value, written = '') {
      const [, from, rest = ''] = /^(credential|data|write):(.*)$/s.exec(value) ?? [];
      if (from === 'credential') return `credentials[${JSON.stringify(rest.trim())}]`;
      if (from === 'data' && data.has(rest.trim())) return `data[${JSON.stringify(rest.trim())}]`;
      return quote(from === 'write' ? written : value);
    },
    plain(value) {
      return value.startsWith('data:') ? (data.get(value.slice('data:'.length).trim()) ?? value) : value;
    },
  };
}

/** An object literal of the members that are defined; empty without members. */
export function writeObject(members: Readonly<Record<string, string | number | undefined>>): string {
  const written = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${String(value)}`]));
  return written.length === 0 ? '' : `{ ${written.join(', ')} }`;
}

export function attributeSelector(name: string, value: string): string {
  return `[${name}="${value.replace(/["\\]/g, '\\$&')}"]`;
}
