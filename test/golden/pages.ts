import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { WARCParser } from 'warcio';
import { openCheckedFile } from '../helpers/checkers.js';
import { openSite, type Site } from '../helpers/site.js';
import { parseCdx, readMember } from '../helpers/wacz-file.js';
import { readHar } from '../plugins/capture/network/har-prober.js';
import { inspectPdf } from '../plugins/output/pdf/inspect-pdf.js';

export const PAGES = ['article', 'table', 'embedded', 'shapes'] as const;
export const SIZE = { browser_width: 400, browser_height: 300 };
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="#1e1ec8"/></svg>';

/** The pages, and further routes. */
export async function openPages(more: Parameters<typeof openSite>[0] = {}): Promise<Site> {
  const files = await Promise.all([...PAGES, 'inner'].map(async (name) => [`/${name}.html`, await readPage(name)] as const));
  const square = { headers: { 'content-type': 'image/svg+xml' }, body: SQUARE };
  return openSite({ ...Object.fromEntries(files), '/square.svg': square, ...more });
}

function readPage(name: string): Promise<string> {
  return readFile(new URL(`pages/${name}.html`, import.meta.url), 'utf8');
}

/** What is text is compared to the byte, but for what no two renders have in common. */
export const TEXTS: Readonly<Record<string, (bytes: Buffer) => string | Promise<string>>> = {
  html: String,
  markdown: String,
  txt: String,
  axtree: String,
  // The scripted model repeats the page as it was sent.
  llm_text: String,
  llm_json: String,
  // Places are those of the fonts of the machine, numbers of nodes those of the browser's version.
  axtree_json: (bytes) =>
    JSON.stringify(JSON.parse(bytes.toString()), (key, value: unknown) => (/^(bounds|backendDOMNodeId)$/.test(key) ? undefined : value), 1),
  mhtml: readMhtml,
  har: readEntries,
  warc: readRecords,
  wacz: readIndex,
  json: String,
  jsonl: (bytes) => String(bytes).replaceAll(/"fetched_at":"[^"]*"/g, '"fetched_at":"then"'),
  async pdf(bytes) {
    const { info, text } = await inspectPdf(bytes);
    return `${info['Title'] ?? ''}, pages: ${info['Pages'] ?? ''}\n${text.replaceAll(/\s+/g, '\n')}`;
  },
};

/** Its soft line breaks stand where the port lets them; boundary, names of parts and the date are of that render. */
function readMhtml(bytes: Buffer): string {
  const names = new Map<string, string>();
  return bytes
    .toString()
    .replaceAll(/=?\r\n/g, (end) => (end.startsWith('=') ? '' : '\n'))
    .replaceAll(/MultipartBoundary--\w+|(?:frame|css)-[\w-]+(?=@mhtml\.blink)/g, (word) => {
      if (!names.has(word)) names.set(word, `name-${String(names.size)}`);
      return names.get(word) ?? word;
    })
    .replace(/^Date: .*/m, 'Date: then');
}

async function readEntries(bytes: Buffer): Promise<string> {
  const { log } = await readHar(bytes.toString());
  const lines = log.entries.map(({ request, response: { status, content } }) =>
    [request.method, request.url, String(status), content.mimeType, String(content.size)].join(' '),
  );
  return [...(log.pages?.map(({ title }) => title) ?? []), ...lines.sort(), ''].join('\n');
}

/** By warcio's reader: type, URL and length of each record, but for the record about the archive itself. */
async function readRecords(bytes: Buffer): Promise<string> {
  const lines: string[] = [];
  for await (const record of new WARCParser(Readable.from([bytes]))) {
    const { length } = await record.readFully(false);
    if (record.warcType === 'response')
      lines.push(`${record.warcTargetURI ?? ''} ${String(record.httpHeaders?.statusCode)} ${String(length)}`);
    else if (record.warcType !== 'warcinfo') lines.push(`${record.warcTargetURI ?? ''} ${record.warcType}`);
  }
  return [...lines.sort(), ''].join('\n');
}

async function readIndex(bytes: Buffer): Promise<string> {
  await using file = await openCheckedFile(bytes, 'wacz');
  const lines = parseCdx((await readMember(file.path, 'indexes/index.cdx')).toString());
  return [...lines.map(({ fields: { url, mime, status } }) => [url, mime, status].join(' ')).sort(), ''].join('\n');
}
