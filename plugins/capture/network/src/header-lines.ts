import { decodeHeaderValue } from './keys.js';
import type { HeaderLine } from './exchange.js';

/** The protocol joins repeated headers with line breaks. */
export function headerLines(headers: Readonly<Record<string, unknown>>): readonly HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((one) => ({ name, value: decodeHeaderValue(name, one) })),
  );
}

/** The lines of an HTTP/1 header block after its first line, as received: order, case and repetitions. */
export function parseHeaderBlock(text: string): readonly HeaderLine[] {
  const [, ...lines] = text.split(/\r?\n/);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
  });
}

/** Status line and headers from a server. */
export interface ReceivedHeaders {
  readonly lines: readonly HeaderLine[];
  /** The reason phrase of the status line; undefined if the protocol was not HTTP/1. */
  readonly statusText: string | undefined;
}

/**
 * The header lines of a response as received, from the two forms in which `Network.responseReceivedExtraInfo` reports them. `headersText`
 * has their order, but Chromium decodes it as UTF-8: an invalid byte is lost, with the line break after it. `headers` has every value,
 * one character per byte, without the order.
 */
export function receivedHeaders(headers: Readonly<Record<string, unknown>>, headersText: string | undefined): ReceivedHeaders {
  const reported = headerLines(headers);
  if (headersText === undefined) return { lines: reported, statusText: undefined };
  const names = new Set(reported.map(({ name }) => name.toLowerCase()));
  const [statusLine = '', ...rest] = headersText.split(/\r?\n/);
  const words = statusLine.replace(/^\S+ *\d* */, '');
  const swallowed = namesInside(words, names);
  // A name cannot be in the text alone, because both forms come from the same lines.
  const order = [...swallowed.map(({ name }) => name), ...rest.flatMap((line) => namesOf(line, names, reported))];
  return { lines: inOrder(reported, order), statusText: words.slice(0, swallowed[0]?.at) };
}

/** The header of a line, and the headers merged into that line by lost line breaks. */
function namesOf(line: string, names: ReadonlySet<string>, reported: readonly HeaderLine[]): readonly string[] {
  const [own] = parseHeaderBlock(`\n${line}`);
  if (!own || !names.has(own.name.toLowerCase())) return [];
  const isIntact = reported.some(({ name, value }) => name === own.name && value === own.value);
  return [own.name, ...(isIntact ? [] : namesInside(own.value, names).map(({ name }) => name))];
}

/** Every place in a text where one of the headers may begin, in order. */
function namesInside(text: string, names: ReadonlySet<string>): readonly { readonly name: string; readonly at: number }[] {
  const lower = text.toLowerCase();
  const places = [...names].flatMap((name) => {
    const found: { name: string; at: number }[] = [];
    for (let at = lower.indexOf(`${name}:`); at >= 0; at = lower.indexOf(`${name}:`, at + 1)) {
      found.push({ name: text.slice(at, at + name.length), at });
    }
    return found;
  });
  return places.sort((one, other) => one.at - other.at);
}

/** The lines, ordered by a list of their names. Lines missing from the list come last. */
function inOrder(lines: readonly HeaderLine[], order: readonly string[]): readonly HeaderLine[] {
  const left = [...lines];
  const ordered = order.flatMap((wanted) => {
    const exact = left.findIndex(({ name }) => name === wanted);
    const index = exact >= 0 ? exact : left.findIndex(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return index < 0 ? [] : left.splice(index, 1);
  });
  return [...ordered, ...left];
}

/** The headers as the site saw them: Platen's proxy, between the browser and the site, removes its own headers. */
export function withoutProxyHeaders(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  return lines.flatMap((line) => {
    const name = line.name.toLowerCase();
    if (name === 'proxy-authorization') return [];
    return name === 'proxy-connection' ? [{ name: 'Connection', value: line.value }] : [line];
  });
}
