/** Changes to a PDF's catalog (ISO 32000-1, 7.7.2). */
export interface Amendment {
  /** `/Lang`, a language tag (BCP 47); undefined: none. */
  readonly language: string | undefined;
  /** The tags were only needed to make the outline. */
  readonly untag: boolean;
}

export interface CatalogOptions {
  /** The document's `lang`. */
  readonly language: string;
  readonly outline: boolean | undefined;
  readonly tagged: boolean | undefined;
}

/** Chromium writes the language only into a tagged PDF. If the document declares none, it writes its own. */
export function planAmendment({ language, outline = false, tagged = false }: CatalogOptions): Amendment | undefined {
  const isTag = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i.test(language);
  const right = tagged ? isTag : !outline && !isTag;
  return right ? undefined : { language: isTag ? language : undefined, untag: outline && !tagged };
}

/** A catalog is some hundred bytes long, a trailer less. */
const WINDOW = 16_384;

const CATALOG = /(\d+) 0 obj\s*<<\/Type \/Catalog\b(.*?)>>\s*endobj/s;
const TRAILER = /trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/s;

/**
 * Passes the PDF on, and appends a second version of its catalog as an incremental update (ISO 32000-1, 7.5.6). The PDF is never buffered
 * as a whole: the catalog is searched for as the bytes pass. A PDF without a catalog, or whose catalog is not the last one, is not
 * changed: `onUnknown` is called, because the printed PDF is better than an error.
 */
export async function* amendPdf(chunks: AsyncIterable<Buffer>, amendment: Amendment, onUnknown: () => void): AsyncGenerator<Buffer, void> {
  let length = 0;
  let tail = '';
  let catalog: RegExpExecArray | null = null;
  for await (const chunk of chunks) {
    length += chunk.length;
    const text = tail + chunk.toString('latin1');
    const found = text.lastIndexOf('/Type /Catalog');
    if (found >= 0) catalog = CATALOG.exec(text.slice(Math.max(0, found - 64))) ?? catalog;
    tail = text.slice(-WINDOW);
    yield chunk;
  }
  const trailer = TRAILER.exec(tail);
  const [, number = '', entries = ''] = catalog ?? [];
  const [, pointers = '', previous = ''] = trailer ?? [];
  if (number === '' || !new RegExp(`/Root ${number} 0 R\\b`).test(pointers)) {
    onUnknown();
    return;
  }
  yield Buffer.from(update({ at: length, number, entries: amend(entries, amendment), pointers, previous }), 'latin1');
}

function amend(entries: string, { language, untag }: Amendment): string {
  const remaining = entries.replace(/\s*\/Lang\s*\([^()]*\)/, '');
  const bare = untag ? remaining.replace(/\s*\/MarkInfo\s*<<.*?>>/s, '').replace(/\s*\/StructTreeRoot \d+ 0 R/, '') : remaining;
  return language === undefined ? bare : `${bare}\n/Lang (${language})`;
}

interface Update {
  /** Bytes before it. */
  readonly at: number;
  /** Of the catalog's object. */
  readonly number: string;
  readonly entries: string;
  /** The trailer's. */
  readonly pointers: string;
  /** Where the cross-reference table before this one is. */
  readonly previous: string;
}

function update({ at, number, entries, pointers, previous }: Update): string {
  const object = `\n${number} 0 obj\n<</Type /Catalog${entries}>>\nendobj\n`;
  const entry = String(at + 1).padStart(10, '0');
  const table = `xref\n${number} 1\n${entry} 00000 n \ntrailer\n<<${pointers}\n/Prev ${previous}>>\n`;
  return `${object}${table}startxref\n${String(at + object.length)}\n%%EOF\n`;
}
