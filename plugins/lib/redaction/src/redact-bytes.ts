import type { SecretPattern } from './secret-pattern.js';

/** Redacts bytes that arrive in chunks; a secret may begin in one and end in another. */
export interface ByteRedactor {
  /** Returns the bytes that no later chunk can change. */
  push(chunk: Buffer): Buffer;
  /** Returns the rest. */
  end(): Buffer;
}

export function openByteRedactor({ expression, longest }: SecretPattern): ByteRedactor {
  // One character per byte.
  let rest = '';
  const take = (text: string, settled: number): Buffer => {
    const parts: string[] = [];
    let at = 0;
    expression.lastIndex = 0;
    for (let found = expression.exec(text); found !== null && found.index < settled; found = expression.exec(text)) {
      parts.push(text.slice(at, found.index), '***');
      at = expression.lastIndex;
    }
    const end = Math.max(at, settled);
    rest = text.slice(end);
    return Buffer.from(parts.join('') + text.slice(at, end), 'latin1');
  };
  return {
    push(chunk) {
      const text = rest + chunk.toString('latin1');
      return take(text, Math.max(0, text.length - longest));
    },
    end: () => take(rest, rest.length),
  };
}
