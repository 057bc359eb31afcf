import { readFile } from 'node:fs/promises';
import { openCheckedFile, runChecker, type Checker } from '../../helpers/checkers.js';
import { decodePicture, type Picture } from '../capture/pictures.js';

/** A program that turns a file of one format into a png; it shares no code with what wrote the file. */
export interface StillDecoder {
  readonly extension: string;
  readonly program: Checker;
  args(from: string, to: string): readonly string[];
}

export const AVIFDEC: StillDecoder = { extension: 'avif', program: 'avifdec', args: (from, to) => [from, to] };
export const DJXL: StillDecoder = { extension: 'jxl', program: 'djxl', args: (from, to) => [from, to] };

/** Has decoders of its own for both. */
export function ffmpeg(extension: 'bmp' | 'tiff'): StillDecoder {
  return { extension, program: 'ffmpeg', args: (from, to) => ['-v', 'error', '-c:v', extension, '-i', from, '-pix_fmt', 'rgb24', to] };
}

/** Told the format: it would go by the bytes. Its policy on Debian lets nothing above 16,000 pixels in. */
export function imageMagick(extension: 'bmp' | 'tiff'): StillDecoder {
  return { extension, program: 'convert', args: (from, to) => [`${extension}:${from}`, '-depth', '8', `png24:${to}`] };
}

/** The picture, as that program sees it. */
export async function decodeStill(bytes: Buffer, { extension, program, args }: StillDecoder): Promise<Picture> {
  await using file = await openCheckedFile(bytes, extension);
  const png = file.beside('decoded.png');
  await runChecker(program, args(file.path, png));
  return await decodePicture(await readFile(png));
}

/** What a checker says of a file. */
export async function describeStill(bytes: Buffer, { extension }: StillDecoder, [program, ...args]: readonly [Checker, ...string[]]) {
  await using file = await openCheckedFile(bytes, extension);
  return (await runChecker(program, [...args, file.path])).toString();
}
