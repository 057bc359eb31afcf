import type { HeaderLine } from './exchange.js';

/** The protocol joins repeated headers by line breaks. */
export function headerLines(headers: Readonly<Record<string, unknown>>): readonly HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((one) => ({ name, value: one })),
  );
}

/** The lines of an HTTP/1 header block behind its first line, as they came: order, case and repetitions. */
export function parseHeaderBlock(text: string): readonly HeaderLine[] {
  const [, ...lines] = text.split(/\r?\n/);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
  });
}

/** What the site saw: between the browser and it is Platen's proxy, which takes its own headers out. */
export function withoutProxyHeaders(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  return lines.flatMap((line) => {
    const name = line.name.toLowerCase();
    if (name === 'proxy-authorization') return [];
    return name === 'proxy-connection' ? [{ name: 'Connection', value: line.value }] : [line];
  });
}
