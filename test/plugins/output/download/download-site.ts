import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { openSite, type Site } from '../../../helpers/site.js';

/** 3 MiB that no compression, text or encoding survives unnoticed. */
export const BINARY = randomBytes(3 * 2 ** 20);
export const CSV = 'name,price\nKäse,3\n';
export const TEXT = 'only text, and long enough to be packed: only text, and long enough to be packed';

/** A PNG file of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const attachment = (disposition: string, type = 'text/csv; header=present', body: string | Buffer = CSV) => ({
  headers: { 'content-type': type, 'content-disposition': disposition },
  body,
});
const page = (script: string) => `<!doctype html><meta charset="utf-8"><p>page<script>${script}</script>`;
const click = (href: string, name?: string) =>
  page(`const a=document.createElement('a');a.href=${href};${name === undefined ? '' : `a.download=${JSON.stringify(name)};`}a.click()`);

/** Targets that are downloads, or begin one. */
export function openDownloadSite(): Promise<Site> {
  return openSite({
    '/attachment': attachment(`attachment; filename="prices 1.csv"; filename*=UTF-8''Preise%20%E2%82%AC.csv`),
    '/inline.html': attachment('attachment', 'text/html', '<p>not shown'),
    '/hostile': attachment(`attachment; filename*=UTF-8''..%2F..%2Fetc%2F%E2%80%AEcod%0d%0aX-Evil%3A%20yes.txt`, 'text/plain'),
    '/program.bin': { headers: { 'content-type': 'application/octet-stream' }, body: BINARY },
    '/packed': {
      headers: { ...attachment('attachment; filename=t.txt', 'text/plain').headers, 'content-encoding': 'gzip' },
      body: gzipSync(TEXT),
    },
    '/empty': attachment('attachment; filename=empty.csv', 'text/csv', ''),
    '/moved': { status: 302, headers: { location: '/attachment' } },
    '/gone': { ...attachment('attachment; filename=gone.csv'), status: 404 },
    '/moved-gone': { status: 302, headers: { location: '/gone' } },
    '/gone-program': { status: 404, headers: { 'content-type': 'application/octet-stream' }, body: BINARY },
    '/gone-page': { status: 404, headers: { 'content-type': 'text/html' }, body: page('') },
    '/gone-begins': { status: 404, headers: { 'content-type': 'text/html' }, body: page("location='/attachment'") },
    '/no-content': { status: 204 },
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': '1000' });
      response.write('PK', () => response.destroy());
      return undefined;
    },
    '/never-whole': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.write('PK');
      return undefined;
    },
    '/page': page(''),
    '/text': { headers: { 'content-type': 'text/plain' }, body: 'shown' },
    '/plain.txt': { headers: { 'content-type': 'text/plain' }, body: TEXT },
    '/click': click("'/attachment'"),
    '/click-attribute': click("'/plain.txt'", 'Notizen ä.txt'),
    '/click-blob': click("URL.createObjectURL(new Blob(['blobbed']))", 'blob.json'),
    '/special': { headers: { 'content-type': 'text/x-special; charset=x' }, body: TEXT },
    '/click-special': click("'/special'", 'special.bin'),
    '/click-typed-blob': click("URL.createObjectURL(new Blob(['blobbed'],{type:'text/x-blob'}))", 'blob.bin'),
    '/picture': { headers: { 'content-type': 'image/png' }, body: Buffer.from(PIXEL, 'base64') },
    '/click-data': click("'data:text/x-own;charset=utf-8;base64,aGVsbG8='", 'data.own'),
    '/location': page("location='/attachment'"),
    '/on-load': page("addEventListener('load',()=>location='/attachment')"),
    '/later': page("setTimeout(()=>{document.body.id='never';location='/attachment'},300)"),
    '/frame': `<!doctype html><iframe src="/attachment"></iframe>`,
    '/foreign-frame': page(
      "const f=document.createElement('iframe');f.src=`http://localhost:${location.port}/location`;document.body.append(f)",
    ),
    '/popup': page("addEventListener('load',()=>open('/attachment'))"),
    '/several': `<!doctype html><iframe src="/attachment"></iframe><script>addEventListener('load',()=>setTimeout(()=>location='/program.bin',50))</script>`,
  });
}
