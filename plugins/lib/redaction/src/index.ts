/**
 * Replaces secrets in texts and bytes by `***`: raw, percent-, form-, HTML-, JSON- and base64-encoded, also one within another. The plugin
 * that fills in secrets sets `redactionKey` in `beforeOpen`; recorders and writers read it.
 *
 * Limits: secrets of fewer than four characters are not searched for. Not found: hashes, UTF-16, quoted-printable, letters in percent or
 * HTML notation, named entities beyond the basic five, secrets split by markup.
 *
 * @packageDocumentation
 */

import { type BaseRenderContext, contextKey, type LoadedPlugin } from '@platen/kernel';
import { secretPattern, type SecretPattern } from './secret-pattern.js';

/** Replaces the secrets of a render by `***`, each in the encodings in which pages, requests and files write it. */
export interface Redaction {
  text(text: string): string;
  /** The same with each string in the value, at any depth. Names of members stay. */
  value<T>(value: T): T;
  /** The bytes are base64-encoded. */
  base64(text: string): string;
  /** For bytes that arrive in chunks. */
  openBytes(): ByteRedactor;
}

/** Set before the page is opened, by a plugin that fills in secrets. Absent from renders without secrets. */
export const redactionKey = contextKey<Redaction>('redaction');

/** Secrets of fewer than four characters are not searched for: they would be found everywhere. Undefined if there are no others. */
export function createRedaction(secrets: readonly string[]): Redaction | undefined {
  const pattern = secretPattern(secrets);
  if (pattern === undefined) return undefined;
  const text = (given: string): string => given.replace(pattern.expression, '***');
  return {
    text,
    value: (value) => redactStrings(value, text),
    base64(given) {
      const redactor = openByteRedactor(pattern);
      return Buffer.concat([redactor.push(Buffer.from(given, 'base64')), redactor.end()]).toString('base64');
    },
    openBytes: () => openByteRedactor(pattern),
  };
}

/** The parameters that are declared secret (`x-secret`). */
export function secretKeysOf(plugins: readonly LoadedPlugin[]): ReadonlySet<string> {
  return new Set(plugins.flatMap(({ definition: { params = {} } }) => Object.keys(params).filter((key) => params[key]?.['x-secret'])));
}

/** Withholds the secrets of a request: those that are filled in, and the values of its secret parameters. */
export function redactionOf(
  { get, params }: Pick<BaseRenderContext, 'get' | 'params'>,
  plugins: readonly LoadedPlugin[],
): Pick<Redaction, 'text' | 'value'> {
  const filledIn = get(redactionKey);
  const given = createRedaction([...secretKeysOf(plugins)].flatMap((key) => listSecrets(params[key])));
  const text = (all: string): string => {
    const rest = filledIn?.text(all) ?? all;
    return given?.text(rest) ?? rest;
  };
  return { text, value: (value) => redactStrings(value, text) };
}

/** The strings in a value, and the passwords of its URLs. */
function listSecrets(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listSecrets);
  if (typeof value !== 'string') return [];
  const password = URL.canParse(value) ? new URL(value).password : '';
  return password === '' ? [value] : [value, password];
}

function redactStrings<T>(value: T, text: (given: string) => string): T {
  const redact = (inner: unknown): unknown => {
    if (typeof inner === 'string') return text(inner);
    if (Array.isArray(inner)) return inner.map(redact);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, redact(member)]));
  };
  // Of the same shape: strings stay strings.
  return redact(value) as T;
}

/** Redacts bytes that arrive in chunks; a secret may begin in one and end in another. */
export interface ByteRedactor {
  /** Returns the bytes that no later chunk can change. */
  push(chunk: Buffer): Buffer;
  /** Returns the rest. */
  end(): Buffer;
}

function openByteRedactor({ expression, longest }: SecretPattern): ByteRedactor {
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
