import { readFile } from 'node:fs/promises';
import { openCheckedFile, runChecker, type Checker } from '../../../helpers/checkers.js';
import { decodePicture, type Picture } from '../../capture/pictures.js';

/** A dictionary of a PDF, as qpdf writes it. */
type Dictionary = Readonly<Record<string, unknown>>;

export interface PdfFacts {
  /** What pdfinfo says, by its labels: `Pages`, `Tagged`, `Title`. */
  readonly info: Readonly<Record<string, string>>;
  /** Width and height of the first page in points. */
  readonly size: readonly [number, number];
  readonly catalog: Dictionary;
  /** The text in reading order, without the breaks between pages. */
  readonly text: string;
}

/** What programs of others see in a PDF. One that qpdf finds fault with fails. */
export async function inspectPdf(bytes: Buffer): Promise<PdfFacts> {
  await using file = await openCheckedFile(bytes, 'pdf');
  const run = async (program: Checker, ...args: string[]) => (await runChecker(program, args)).toString();
  await run('qpdf', '--check', file.path);
  const [lines, json, text] = await Promise.all([
    run('pdfinfo', file.path),
    run('qpdf', '--json', '--json-key=qpdf', file.path),
    run('pdftotext', file.path, '-'),
  ]);
  const info = Object.fromEntries(lines.split('\n').map((line) => [line.split(':')[0] ?? '', line.replace(/^[^:]*:\s*/, '')]));
  const [, width = '', height = ''] = /^([\d.]+) x ([\d.]+)/.exec(info['Page size'] ?? '') ?? [];
  return { info, size: [Number(width), Number(height)], catalog: readCatalog(JSON.parse(json)), text: text.replaceAll('\f', '') };
}

function readCatalog(json: { readonly qpdf: readonly Readonly<Record<string, { readonly value: Dictionary }>>[] }): Dictionary {
  const objects = json.qpdf[1] ?? {};
  const root = String(objects['trailer']?.value['/Root']);
  return objects[`obj:${root}`]?.value ?? {};
}

/** What a program of others prints about a PDF. */
export async function askAbout(bytes: Buffer, program: Checker, before: readonly string[], after: readonly string[] = []): Promise<string> {
  await using file = await openCheckedFile(bytes, 'pdf');
  return (await runChecker(program, [...before, file.path, ...after])).toString();
}

/** The first page as poppler draws it, a pixel a point. */
export async function drawPage(bytes: Buffer): Promise<Picture> {
  await using file = await openCheckedFile(bytes, 'pdf');
  await runChecker('pdftoppm', ['-r', '72', '-png', '-f', '1', '-l', '1', '-singlefile', file.path, file.beside('page')]);
  return await decodePicture(await readFile(file.beside('page.png')));
}
