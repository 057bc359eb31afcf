import type { Readable } from 'node:stream';
import { isDiskFull, KERNEL_VERSION, PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import { type CdxIndex, createCdxIndex, createWarcWriter, writePage } from '@platen/lib-warc';
import type { Walk } from '@platen/plugin-walk';
import { addIndex } from './add-index.js';
import { createPageLists, type PageLists, toPageEntry, watchPage } from './page-lists.js';
import { addFile, type Resource, streamZip, type ZipWriter } from './zip-stream.js';

const WARC = 'data.warc.gz';
const SOFTWARE = `Platen ${KERNEL_VERSION}`;

/**
 * The walk as a WACZ file (1.1.1), streamed while it goes on: what it recorded comes first, then its index, its pages and the manifest.
 * The stream fails with the walk's error, or with `encode_failed` if the disk was too full; if it is destroyed, the walk's iterator ends.
 */
export function openWacz(walk: Walk): Readable {
  return streamZip((zip) => writeWacz(zip, walk).catch(nameDisk));
}

function nameDisk(cause: unknown): never {
  if (!isDiskFull(cause)) throw cause;
  throw new PlatenError('encode_failed', `the wacz could not be written: ${TEMPORARY_DISK} is full`, { cause });
}

async function writeWacz(zip: ZipWriter, walk: Walk): Promise<void> {
  await using index = createCdxIndex();
  await using pages = createPageLists(walk.seed.replace(/#.*/s, ''));
  const resources = [await addWarc(zip, walk, { index, pages }), ...(await addIndex(zip, index))];
  for (const [path, lines] of pages.files()) resources.push(await addFile(zip, path, lines));
  await addManifest(zip, { walk, pages, resources });
}

interface Listed {
  readonly index: CdxIndex;
  readonly pages: PageLists;
}

/** What the walk recorded, while it goes on. */
async function addWarc(zip: ZipWriter, walk: Walk, { index, pages }: Listed): Promise<Resource> {
  const entry = zip.openEntry(`archive/${WARC}`, { store: true });
  const write = async (bytes: Buffer): Promise<void> => {
    await entry.write(bytes);
    walk.wrote(bytes.length);
  };
  const warc = createWarcWriter({ write, filename: WARC, index });
  const { name, version } = walk.browser;
  await warc.warcinfo({ software: `${SOFTWARE}, ${name} ${version}`, format: 'WARC File Format 1.1', description: `From ${walk.seed}` });
  for await (const page of walk.pages()) {
    zip.signal.throwIfAborted();
    const watched = watchPage(page);
    const listed = toPageEntry(page, { id: await writePage(warc, watched.page), answered: watched.answered });
    if (listed) pages.add(listed);
  }
  const { done, failed, stopReason = 'complete' } = walk.summary;
  await warc.warcinfo({ 'pages-done': String(done), 'pages-failed': String(failed), 'stop-reason': stopReason });
  return entry.end();
}

interface Manifest {
  readonly walk: Walk;
  readonly pages: PageLists;
  readonly resources: readonly Resource[];
}

async function addManifest(zip: ZipWriter, { walk, pages: { main }, resources }: Manifest): Promise<void> {
  const manifest = toFile({
    profile: 'data-package',
    wacz_version: '1.1.1',
    title: main?.title ?? walk.seed,
    created: new Date().toISOString(),
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
