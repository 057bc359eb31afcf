import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createSpool } from '@platen/lib-spool';
import type { CdxIndex } from '@platen/lib-warc';
import { type Lines, openLines } from './lines.js';
import { addFile, type Resource, type ZipWriter } from './zip-stream.js';

/** Replayers read a plain index completely before they show a page. */
const LARGEST_PLAIN = 50_000;
const BLOCK_LINES = 256;
const PACKED = 'index.cdx.gz';

/**
 * Adds the index in the plainest form that suits its size: `index.cdx`, or `index.cdx.gz` in blocks that can be read by themselves, with
 * `index.idx`, which has the first key of each block.
 */
export async function addIndex(zip: ZipWriter, index: CdxIndex): Promise<readonly Resource[]> {
  if (index.count <= LARGEST_PLAIN) return [await addFile(zip, 'indexes/index.cdx', blocksOf(index))];
  await using spool = createSpool();
  const keys = openLines(spool);
  keys.add(`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: PACKED })}`);
  const packed = await addFile(zip, `indexes/${PACKED}`, packBlocks(index, keys));
  return [packed, await addFile(zip, 'indexes/index.idx', keys.open())];
}

async function* packBlocks(index: CdxIndex, keys: Lines): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const block of blocksOf(index)) {
    const bytes = await promisify(gzip)(block);
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    keys.add(`${keyOf(block)} ${JSON.stringify({ offset, length: bytes.length, digest, filename: PACKED })}`);
    offset += bytes.length;
    yield bytes;
  }
}

async function* blocksOf(index: CdxIndex): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  for await (const line of index.lines()) {
    lines.push(`${line}\n`);
    if (lines.length < BLOCK_LINES) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

/** URL key and time stamp of the first line. */
function keyOf(block: Buffer): string {
  return block.toString('utf8', 0, block.indexOf(' {'));
}
