import { type Metadata, writeInfo, writeXmp } from './metadata.js';

/** Changes to a PDF's catalog (ISO 32000-1, 7.7.2) and its metadata. */
export interface Amendment {
  /** `/Lang`, a language tag (BCP 47); undefined: none. */
  readonly language: string | undefined;
  /** The tags were only needed to make the outline. */
  readonly untag: boolean;
  readonly metadata?: Metadata;
}

export interface CatalogOptions {
  /** The document's `lang`. */
  readonly language: string;
  readonly outline: boolean | undefined;
  readonly tagged: boolean | undefined;
  readonly metadata?: Metadata | undefined;
}

/** Chromium writes the language only into a tagged PDF. If the document declares none, it writes its own. */
export function planAmendment({ language, outline = false, tagged = false, metadata }: CatalogOptions): Amendment | undefined {
  const isTag = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i.test(language);
  const right = tagged ? isTag : !outline && !isTag;
  if (right && metadata === undefined) return undefined;
  return { language: isTag ? language : undefined, untag: outline && !tagged, ...(metadata === undefined ? {} : { metadata }) };
}

/** A catalog is some hundred bytes long, a trailer less. */
const WINDOW = 16_384;

const CATALOG = /(\d+) 0 obj\s*<<\/Type \/Catalog\b(.*?)>>\s*endobj/s;
const TRAILER = /trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/s;
/** Entries of a dictionary without inner ones. */
const ENTRIES = String.raw`(?:\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]*>|[^()<>])*`;
/** Chromium writes it first. */
const INFO = new RegExp(String.raw`(\d+) 0 obj\s*<<(${ENTRIES}/Producer\b${ENTRIES})>>\s*endobj`, 's');

/**
 * Passes the PDF on, and appends second versions of its catalog and document information as an incremental update (ISO 32000-1, 7.5.6). The
 * PDF is never buffered as a whole: the objects are searched for as the bytes pass. A PDF without a catalog, or whose catalog is not the last
 * one, is not changed: `onUnknown` is called, because the printed PDF is better than an error.
 */
export async function* amendPdf(chunks: AsyncIterable<Buffer>, amendment: Amendment, onUnknown: () => void): AsyncGenerator<Buffer, void> {
  let length = 0;
  let head = '';
  let tail = '';
  let catalog: RegExpExecArray | null = null;
  for await (const chunk of chunks) {
    length += chunk.length;
    const text = tail + chunk.toString('latin1');
    if (head.length < WINDOW) head += chunk.toString('latin1').slice(0, WINDOW);
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
  const objects = amendObjects({ number: Number(number), entries, pointers, info: INFO.exec(head) }, amendment);
  yield Buffer.from(update({ at: length, objects, pointers, previous }), 'latin1');
}

interface Found {
  /** Of the catalog's object. */
  readonly number: number;
  readonly entries: string;
  /** The trailer's. */
  readonly pointers: string;
  readonly info: RegExpExecArray | null;
}

/** The new versions of objects, by their numbers. */
function amendObjects({ number, entries, pointers, info }: Found, amendment: Amendment): ReadonlyMap<number, string> {
  const { metadata } = amendment;
  const catalog = amendCatalog(entries, amendment);
  if (metadata === undefined) return new Map([[number, `<</Type /Catalog${catalog}>>`]]);
  const [, infoNumber = '', infoEntries = ''] = info ?? [];
  const next = Number(/\/Size (\d+)/.exec(pointers)?.[1]);
  const hasInfo = new RegExp(`/Info ${infoNumber} 0 R\\b`).test(pointers);
  const xmp = Buffer.from(writeXmp(metadata, infoEntries), 'utf8').toString('latin1');
  return new Map([
    [number, `<</Type /Catalog${catalog}\n/Metadata ${String(next)} 0 R>>`],
    ...(hasInfo ? ([[Number(infoNumber), `<<${writeInfo(metadata, infoEntries)}>>`]] as const) : []),
    [next, `<</Type /Metadata\n/Subtype /XML\n/Length ${String(xmp.length)}>> stream\n${xmp}\nendstream`],
  ]);
}

function amendCatalog(entries: string, { language, untag }: Amendment): string {
  const remaining = entries.replace(/\s*\/Lang\s*\([^()]*\)/, '');
  const bare = untag ? remaining.replace(/\s*\/MarkInfo\s*<<.*?>>/s, '').replace(/\s*\/StructTreeRoot \d+ 0 R/, '') : remaining;
  return language === undefined ? bare : `${bare}\n/Lang (${language})`;
}

interface Update {
  /** Bytes before it. */
  readonly at: number;
  readonly objects: ReadonlyMap<number, string>;
  /** The trailer's. */
  readonly pointers: string;
  /** Where the cross-reference table before this one is. */
  readonly previous: string;
}

function update({ at, objects, pointers, previous }: Update): string {
  let text = '\n';
  const sections: string[] = [];
  for (const [number, object] of objects) {
    sections.push(`${String(number)} 1\n${String(at + text.length).padStart(10, '0')} 00000 n \n`);
    text += `${String(number)} 0 obj\n${object}\nendobj\n`;
  }
  const size = Math.max(Number(/\/Size (\d+)/.exec(pointers)?.[1] ?? 0), ...[...objects.keys()].map((number) => number + 1));
  const trailer = pointers.replace(/\/Size \d+/, `/Size ${String(size)}`);
  const table = `xref\n${sections.join('')}trailer\n<<${trailer}\n/Prev ${previous}>>\n`;
  return `${text}${table}startxref\n${String(at + text.length)}\n%%EOF\n`;
}
