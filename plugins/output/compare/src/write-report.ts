import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeReadError, PlatenError } from '@platen/kernel';
import { decodeRows, encodePng } from '@platen/lib-raster/rows';
import type { Comparison, Size } from './comparison.js';

/** An image of both folders, or what is wrong with it. */
export interface Entry {
  /** Its path in the folders, with slashes. */
  readonly name: string;
  readonly state: 'equal' | 'within' | 'beyond' | 'missing' | 'unreadable';
  /** One line. */
  readonly note: string;
  readonly comparison?: Comparison;
  /** A PNG of what differs. */
  readonly drawing?: Uint8Array | undefined;
}

export interface Folders {
  readonly old: string;
  readonly new: string;
}

export interface Report {
  readonly entries: readonly Entry[];
  readonly folders: Folders;
  /** One line. */
  readonly summary: string;
}

/**
 * Writes one HTML file that needs nothing else: image by image, since together they may not fit into memory.
 *
 * @throws PlatenError `invalid_parameters` if the file cannot be written
 */
export async function writeReport(file: string, report: Report): Promise<void> {
  try {
    await pipeline(Readable.from(format(report)), createWriteStream(file));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new PlatenError('invalid_parameters', `cannot write --out ${file}: ${describeReadError(error)}`, { cause: error });
  }
}

/** The colors of the welcome page. A view shows some of the images; the slider shows the old one over the new one. */
const STYLE = `:root{color-scheme:light dark;--bg:light-dark(#f6f7fb,#0d1017);--panel:light-dark(#fff,#151a24);--text:light-dark(#171c2b,#e6e9f2);--soft:light-dark(#545d75,#9ea8bf);--line:light-dark(#dde1ec,#283043);--accent:light-dark(#4338ca,#a5b4fc)}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif;overflow-wrap:anywhere}
header{padding:14px 20px;border-bottom:1px solid var(--line);background:var(--panel)}h1{margin:0;font-size:17px}h2{margin:0 0 4px;font-size:17px}p{margin:0 0 10px;color:var(--soft)}
main{padding:16px 20px 60px}section{scroll-margin-top:80px;margin:0 0 20px;padding:14px 16px;border:1px solid var(--line);border-radius:10px;background:var(--panel)}
fieldset{position:sticky;top:0;z-index:1;margin:0 0 16px;padding:6px 14px;border:1px solid var(--line);border-radius:10px;background:var(--panel)}label{margin-right:16px;white-space:nowrap}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}ul{padding-left:20px}li span{color:var(--soft)}
figure{margin:0;min-width:0}figcaption{color:var(--soft)}svg,img{display:block;width:100%;height:auto;outline:1px solid var(--line);background:repeating-conic-gradient(#d4d8e2 0 25%,#fff 0 50%) 0/16px 16px}
.images{display:grid;gap:12px;grid-template-columns:repeat(3,minmax(0,1fr))}.split{display:none}.split input{width:100%;margin:0}
main:has(#slider:checked) .images,main:has(#difference:checked) .images{grid-template-columns:minmax(0,1fr)}
main:has(#difference:checked) .images>:not(.change),main:has(#slider:checked) .change{display:none}
main:has(#slider:checked) :is(.old,.new){grid-area:2/1}main:has(#slider:checked) .old{z-index:1}main:has(#slider:checked) .old svg{clip-path:inset(0 calc(100% - var(--split,50%)) 0 0)}
main:has(#slider:checked) .new figcaption{text-align:right}main:has(#slider:checked) .split{display:block;margin:0}`;

const SCRIPT = `for (const input of document.querySelectorAll('input[type=range]')) {
  input.addEventListener('input', () => input.closest('section').style.setProperty('--split', input.value + '%'));
}`;

async function* format({ entries, folders, summary }: Report): AsyncGenerator<string> {
  const policy = `default-src 'none'; img-src data:; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const shown = entries.filter(({ comparison }) => comparison?.equal === false);
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width">
<title>Comparison of images</title><style>${STYLE}</style></head>
<body><header><h1>Comparison of images</h1>${escape(summary)}</header>
<main>${entries.length > shown.length || shown.length > 1 ? `<nav aria-label="Images"><ul>${entries.map(formatLink).join('')}</ul></nav>` : ''}
${shown.length === 0 ? '' : VIEWS}
`;
  for (const [at, entry] of entries.entries()) if (entry.comparison?.equal === false) yield await formatEntry(at, entry, folders);
  yield `</main><script>${SCRIPT}</script></body></html>\n`;
}

const VIEWS = `<fieldset><legend>View</legend><label><input type="radio" name="view" id="side" checked> Side by side</label><label><input type="radio" name="view" id="slider"> Slider</label><label><input type="radio" name="view" id="difference"> Difference</label></fieldset>`;

function formatLink({ name, state, note, comparison }: Entry, at: number): string {
  const text = comparison?.equal === false ? `<a href="#image-${String(at)}">${escape(name)}</a>` : escape(name);
  return `<li>${text} <span>${escape(note === '' ? state : `${state}: ${note}`)}</span></li>`;
}

async function formatEntry(at: number, { name, state, note, comparison, drawing }: Entry, { old, new: current }: Folders): Promise<string> {
  // Entries with a difference have both.
  if (comparison === undefined || drawing === undefined) return '';
  const { baseline, width, height } = comparison;
  const area = { width: Math.max(width, baseline.width), height: Math.max(height, baseline.height) };
  const draw = async (file: string, size: Size, label: string) =>
    `<svg role="img" aria-label="${label} of ${escape(name)}" viewBox="0 0 ${String(area.width)} ${String(area.height)}"><image width="${String(size.width)}" height="${String(size.height)}" href="${await embed(file, size)}"/></svg>`;
  return `<section id="image-${String(at)}" aria-labelledby="name-${String(at)}"><h2 id="name-${String(at)}">${escape(name)}</h2><p>${state === 'within' ? 'Within the limits: ' : ''}${escape(note)}${sizesOf(comparison)}</p>
<div class="images"><p class="split"><input type="range" min="0" max="100" value="50" aria-label="Part of ${escape(name)} that is old, in percent"></p><figure class="old"><figcaption>Old</figcaption>${await draw(join(old, name), baseline, 'Old image')}</figure>
<figure class="change"><figcaption>Difference</figcaption><img alt="Difference of ${escape(name)}" src="${dataUrl('image/png', Buffer.from(drawing))}"></figure>
<figure class="new"><figcaption>New</figcaption>${await draw(join(current, name), { width, height }, 'New image')}</figure></div></section>
`;
}

function sizesOf({ baseline, width, height }: Comparison): string {
  if (baseline.width === width && baseline.height === height) return '';
  return `; ${String(baseline.width)} x ${String(baseline.height)} pixels became ${String(width)} x ${String(height)}`;
}

const TYPES: Readonly<Record<string, string>> = { png: 'png', webp: 'webp', avif: 'avif', gif: 'gif' };

/** Browsers do not show TIFF. */
async function embed(file: string, { width, height }: Size): Promise<string> {
  const ending = extname(file).slice(1).toLowerCase();
  if (ending.startsWith('tif'))
    return dataUrl('image/png', Buffer.from(await encodePng(await decodeRows(file, { top: 0, height }), width, height)));
  return dataUrl(`image/${TYPES[ending] ?? 'jpeg'}`, await readFile(file));
}

function dataUrl(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
}
