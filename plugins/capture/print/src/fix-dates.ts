/** Chromium writes the document information first: it is some hundred bytes long. */
const WINDOW = 16_384;
/** In the document information, always of the same length (ISO 32000-1, 7.9.4). */
const DATE = /(\/(?:CreationDate|ModDate) \()D:\d{14}[+-]\d\d'\d\d'(?=\))/g;

/** Passes a PDF on, with these dates of its creation and last change. Every object keeps its offset. */
export async function* fixDates(chunks: AsyncIterable<Buffer>, date: Date): AsyncGenerator<Buffer, void> {
  const stamp = `D:${date.toISOString().replace(/\D/g, '').slice(0, 14)}+00'00'`;
  const fix = (head: readonly Buffer[]) =>
    Buffer.from(
      Buffer.concat(head)
        .toString('latin1')
        .replace(DATE, (_date, before: string) => before + stamp),
      'latin1',
    );
  let head: Buffer[] | undefined = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head.push(chunk);
    length += chunk.length;
    if (length < WINDOW) continue;
    yield fix(head);
    head = undefined;
  }
  if (head !== undefined) yield fix(head);
}
