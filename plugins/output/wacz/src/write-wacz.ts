import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Clock, createClock, isDiskFull, KERNEL_VERSION, PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import { type CdxIndex, createCdxIndex, createWarcWriter, openWarcFile, type WarcWriter, writePage } from '@platen/lib-warc';
import type { StoredWalk, Walk } from '@platen/plugin-walk';
import { createPageLists, type Lines, openLines, type PageEntry, type PageLists, toPageEntry } from './page-lists.js';
import { addFile, type Resource, streamZip, type ZipWriter } from './zip-stream.js';

const WARC = 'data.warc.gz';
const SOFTWARE = `Platen ${KERNEL_VERSION}`;

/**
 * The walk as a WACZ file (1.1.1), streamed while it goes on: first its WARC, then its index, its pages and the manifest.
 * The stream fails with the walk's error, or with `encode_failed` if the disk was too full; if it is destroyed, the walk's iterator ends.
 */
export function openWacz(walk: Walk, clock = createClock()): Readable {
  return streamZip((zip) => writeWacz(zip, walk, clock).catch(nameDisk), clock.now());
}

function nameDisk(cause: unknown): never {
  if (!isDiskFull(cause)) throw cause;
  throw new PlatenError('encode_failed', `the wacz could not be written: ${TEMPORARY_DISK} is full`, { cause });
}

async function writeWacz(zip: ZipWriter, walk: Walk, clock: Clock): Promise<void> {
  await using index = createCdxIndex();
  await using pages = createPageLists(walk.seed.replace(/#.*/s, ''));
  const resources = [await addWarc(zip, walk, { clock, index, pages }), ...(await addIndex(zip, index))];
  for (const [path, lines] of pages.files()) resources.push(await addFile(zip, path, lines));
  await addManifest(zip, { walk, clock, pages, resources });
}

interface Listed {
  readonly clock: Clock;
  readonly index: CdxIndex;
  readonly pages: PageLists;
}

/** Where the WARC goes to: a stream, or a file that can be continued. */
interface Target {
  readonly writer: WarcWriter;
  readonly isNew: boolean;
  /** Called after each page, with its entry in the lists. */
  pageEnded(listed: PageEntry | undefined): Promise<void>;
}

/** The WARC, while the walk goes on; a file that can be continued is added when it is complete. */
async function addWarc(zip: ZipWriter, walk: Walk, { clock, index, pages }: Listed): Promise<Resource> {
  const path = `archive/${WARC}`;
  if (walk.stored !== undefined) {
    await using file = await openStored(walk, walk.stored, { clock, index, pages });
    await writeWalk(zip, walk, file);
    return await addFile(zip, path, file.read());
  }
  const entry = zip.openEntry(path, { store: true });
  const write = async (bytes: Buffer) => {
    await entry.write(bytes);
    walk.wrote(bytes.length);
  };
  const writer = createWarcWriter({ write, filename: WARC, index, clock });
  const pageEnded = (listed: PageEntry | undefined) => {
    if (listed) pages.add(listed);
    return Promise.resolve();
  };
  await writeWalk(zip, walk, { writer, isNew: true, pageEnded });
  return entry.end();
}

async function openStored(walk: Walk, { commit, ...stored }: StoredWalk, { clock, index, pages }: Listed) {
  const file = await openWarcFile({
    ...stored,
    filename: WARC,
    ...{ clock, index },
    wrote: (bytes) => {
      walk.wrote(bytes);
    },
    onNote: (listed) => {
      // Written by `note`.
      pages.add(listed as PageEntry);
    },
  });
  const { writer, read } = file;
  const pageEnded = async (listed: PageEntry | undefined) => {
    if (listed) {
      pages.add(listed);
      file.note(listed);
    }
    commit(await file.commit());
  };
  return { writer, read, isNew: stored.checkpoint === undefined, pageEnded, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

async function writeWalk(zip: ZipWriter, walk: Walk, { writer, isNew, pageEnded }: Target): Promise<void> {
  const { name, version } = walk.browser;
  if (isNew)
    await writer.warcinfo({
      software: `${SOFTWARE}, ${name} ${version}`,
      format: 'WARC File Format 1.1',
      description: `From ${walk.seed}`,
    });
  for await (const page of walk.pages()) {
    zip.signal.throwIfAborted();
    await pageEnded(toPageEntry(page, await writePage(writer, page)));
  }
  const { done, failed, stopReason = 'complete' } = walk.summary;
  await writer.warcinfo({ 'pages-done': String(done), 'pages-failed': String(failed), 'stop-reason': stopReason });
}

interface Manifest {
  readonly clock: Clock;
  readonly walk: Walk;
  readonly pages: PageLists;
  readonly resources: readonly Resource[];
}

async function addManifest(zip: ZipWriter, { walk, clock, pages: { main }, resources }: Manifest): Promise<void> {
  const manifest = toFile({
    profile: 'data-package',
    wacz_version: '1.1.1',
    title: main?.title ?? walk.seed,
    created: clock.now().toISOString(),
    software: SOFTWARE,
    mainPageUrl: main?.url ?? walk.seed,
    ...(main ? { mainPageDate: main.ts } : {}),
    resources,
  });
  const { path, hash } = await addFile(zip, 'datapackage.json', [manifest]);
  await addFile(zip, 'datapackage-digest.json', [toFile({ path, hash })]);
}

function toFile(content: object): Buffer {
  return Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`);
}

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
