import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const SIZE = { width: 300, height: 200 };

function draw(marks: string, { width, height } = SIZE): Sharp {
  const text = '<rect width="100%" height="100%" fill="#eef4ff"/><text x="20" y="60" font-size="40">Platen</text>';
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${text}${marks}</svg>`));
}

/** Folders `old`, `new` (one image equal, one with a box of 600 pixels, one 10 pixels wider) and `broken`. */
export async function writeFolders(folder: string): Promise<void> {
  const paths = ['old/sub', 'new/sub', 'broken'].map((name) => mkdir(join(folder, name), { recursive: true }));
  await Promise.all(paths);
  const plain = await draw('').png().toBuffer();
  const files: Readonly<Record<string, Promise<Buffer> | Buffer>> = {
    'old/home.png': plain,
    'new/home.png': draw('<rect x="100" y="120" width="30" height="20" fill="#c00"/>').png().toBuffer(),
    'old/same.webp': draw('').webp({ lossless: true }).toBuffer(),
    'new/same.webp': draw('').webp({ lossless: true }).toBuffer(),
    'old/sub/wide.tiff': draw('').tiff().toBuffer(),
    'new/sub/wide.tiff': draw('', { ...SIZE, width: 310 })
      .tiff()
      .toBuffer(),
    'broken/home.png': plain.subarray(0, plain.length / 2),
    'broken/more.png': plain,
    'broken/same.webp': Buffer.from('no image'),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), await bytes);
}
