import type { SitemapLimits } from './limits.js';
import type { RawEntry } from './raw-entry.js';

/** One URL a line, trimmed. Blank lines and those that begin with `#` are skipped. Of a line that is too long, only the beginning is read. */
export async function* readLines(text: AsyncIterable<string>, { urlLength }: SitemapLimits): AsyncGenerator<RawEntry> {
  let open = '';
  for await (const piece of text) {
    const lines = piece.split(/[\r\n]/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield* entryOf(open + line);
      open = '';
    }
    if (open.length <= urlLength) open += last;
  }
  yield* entryOf(open);
}

function* entryOf(line: string): Generator<RawEntry> {
  const location = line.trim();
  if (location !== '' && !location.startsWith('#')) yield { kind: 'url', location };
}
