import { formatBytes, make } from './dom.js';
import { appendPaged } from './json-tree.js';
import { isObject, numberAt, showValue, textAt, type Json } from './read-json.js';
import { createTabs } from './tabs.js';

interface Row {
  readonly url: string;
  readonly title: string;
  readonly status: string;
  readonly type: string;
  /** In the archive; undefined where its index does not name it. */
  readonly bytes: number | undefined;
}

/** Larger archives are not read. */
const MAX_READ = 128_000_000;
const MAX_HEAD = 32_768;
const PART = 65_536;

/** The pages of a WACZ or WARC archive, and all of its records, with their sizes. Undefined if it is too large. */
export async function showArchive(body: Blob, type: string): Promise<HTMLElement | undefined> {
  if (body.size > MAX_READ) return undefined;
  const bytes = new Uint8Array(await body.arrayBuffer());
  const { pages, records } = await (type === 'application/warc' ? readWarc(bytes) : readWacz(bytes));
  return createTabs('Archive', [
    [`Pages (${String(pages.length)})`, () => showRows('Pages', pages)],
    [`Records (${String(records.length)})`, () => showRows('Records', records)],
  ]).element;
}

interface Content {
  readonly pages: readonly Row[];
  readonly records: readonly Row[];
}

function showRows(label: string, rows: readonly Row[]): HTMLElement {
  const body = make('tbody');
  appendPaged(body, rows, ({ url, title, status, type, bytes }) =>
    make(
      'tr',
      {},
      make('td', {}, ...(title === '' ? [] : [make('strong', {}, title), make('br')]), url),
      ...[status, type, bytes === undefined ? '' : formatBytes(bytes)].map((text) => make('td', {}, text)),
    ),
  );
  const heads = ['Page', 'Status', 'Type', 'Size in the archive'].map((head) => make('th', { scope: 'col' }, head));
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...heads)), body);
  return make('div', { class: 'listing', tabindex: 0, role: 'region', 'aria-label': label }, table);
}

/** Without lines that are not objects. */
function parseLines(lines: readonly string[]): readonly Json[] {
  return lines.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The page lists and the plain index of a WACZ (1.1.1). */
async function readWacz(bytes: Uint8Array): Promise<Content> {
  const { unzipSync } = await import('./packages.js');
  const files = Object.entries(unzipSync(bytes, { filter: ({ name }) => /^(?:pages\/.*\.jsonl|indexes\/.*\.cdxj?)$/.test(name) }));
  const lines = (folder: string) =>
    files.filter(([name]) => name.startsWith(folder)).flatMap(([, file]) => new TextDecoder().decode(file).split('\n'));
  // A line of the index has a key before its JSON.
  const records = parseLines(lines('indexes/').map((line) => line.slice(line.indexOf('{')))).map((record) =>
    toRow(record, Number(record['length'])),
  );
  const sizes = new Map<string, number>();
  for (const { url, bytes: size = 0 } of records) sizes.set(url, (sizes.get(url) ?? 0) + size);
  const pages = parseLines(lines('pages/')).filter(({ url }) => url !== undefined);
  return { pages: pages.map((page) => toRow(page, sizes.get(textAt(page, 'url')))), records };
}

function toRow(record: Json, bytes: number | undefined): Row {
  const [url, title, type] = [textAt(record, 'url'), textAt(record, 'title'), textAt(record, 'mime')];
  return { url, title, type, status: showValue(numberAt(record, 'status') ?? textAt(record, 'status')), bytes };
}

/** The responses of a WARC file, whose records are gzip members of their own (WARC 1.1, annex D). */
async function readWarc(bytes: Uint8Array): Promise<Content> {
  const { Gunzip } = await import('./packages.js');
  const members = [{ start: 0, head: '' }];
  const gunzip = new Gunzip((chunk) => {
    const member = members.at(-1);
    // The headers of the record and of the response.
    if (member !== undefined && member.head.length < MAX_HEAD) member.head += new TextDecoder().decode(chunk.subarray(0, MAX_HEAD));
  });
  gunzip.onmember = (start) => members.push({ start, head: '' });
  // In parts: the package recurses for each member.
  for (let at = 0; at < bytes.length; at += PART) gunzip.push(bytes.subarray(at, at + PART));
  const records = members.flatMap(({ start, head }, index) => readRecord(head, (members[index + 1]?.start ?? bytes.length) - start));
  return { pages: records.filter(({ type, status }) => type.includes('html') && status.startsWith('2')), records };
}

function readRecord(head: string, bytes: number): readonly Row[] {
  if (!/^WARC-Type: (?:response|revisit|resource)\r?$/im.test(head)) return [];
  const url = /^WARC-Target-URI: (.*?)\r?$/im.exec(head)?.[1] ?? '';
  const status = /^HTTP\/\S+ (\d{3})/m.exec(head)?.[1] ?? '';
  const types = [...head.matchAll(/^Content-Type: ([^;\r\n]*)/gim)].map(([, type = '']) => type);
  return [{ url, title: '', status, type: types.findLast((type) => type !== 'application/http') ?? '', bytes }];
}
