import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { type ByteSource, openPart } from './byte-source.js';
import { ArchiveDamaged, NotAnArchive } from './contract.js';
import { gunzip, type OpenedFiles, type Opening, scanSource } from './opening.js';

/** The files of a WACZ by their paths. */
type Members = ReadonlyMap<string, Entry>;

const WARC = /^archive\/(?:.*\/)?([^/]+\.warc(?:\.gz)?)$/;
const INDEX = /^indexes\/.*\.cdxj?(?:\.gz)?$/;

/**
 * Opens a WACZ (1.0 to 1.2): its indexes, or if they are empty its WARC files, fill the builder.
 *
 * @throws NotAnArchive, ArchiveDamaged
 */
export async function openWacz(opening: Opening): Promise<OpenedFiles> {
  const { builder, scratch } = opening;
  const zip = await openZip(opening);
  const members = await listMembers(zip);
  const warcs = new Map([...members].flatMap(([path, entry]) => (WARC.test(path) ? [[WARC.exec(path)?.[1] ?? '', entry] as const] : [])));
  if (warcs.size === 0) throw new NotAnArchive(describe(members));
  const opened = new Map<string, Promise<ByteSource>>();
  const openWarc = async (name: string): Promise<ByteSource> => {
    const entry = warcs.get(name);
    if (!entry) throw new ArchiveDamaged(`its index names the file "${name.slice(0, 100)}", which is not there`);
    const opening_ = opened.get(name) ?? openMember(zip, entry, opening);
    opened.set(name, opening_);
    return await opening_;
  };
  const indexes = [...members].filter(([path]) => INDEX.test(path));
  const openIndex = ([path, entry]: (typeof indexes)[number]) => {
    const bytes = readMember(zip, entry, opening);
    return scratch.count(path.endsWith('.gz') ? gunzip(bytes) : bytes);
  };
  const [only] = indexes;
  const isTaken = only !== undefined && indexes.length === 1 && (await builder.takeSorted(openIndex(only)));
  for (const index of isTaken ? [] : indexes) await builder.addLines(openIndex(index));
  const isIndexed = builder.count > 0;
  for (const name of isIndexed ? [] : warcs.keys())
    opened.set(name, Promise.resolve(await scanSource(await openWarc(name), name, opening)));
  if (builder.count === 0) throw new NotAnArchive('a WACZ file without a response');
  return { kind: 'wacz', openWarc };
}

/** Leaves the file open, and reads its directory entry by entry. */
async function openZip({ handle }: Opening): Promise<ZipFile> {
  try {
    return await fromFdPromise(handle.fd, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw damaged(error);
  }
}

const MOST_FILES = 100_000;

async function listMembers(zip: ZipFile): Promise<Members> {
  if (zip.entryCount > MOST_FILES) throw new NotAnArchive(`a ZIP file of more than ${String(MOST_FILES)} files`);
  const members = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry())
      if (/^(?:archive|indexes)\/|\.wacz$/.test(entry.fileName)) members.set(entry.fileName, entry);
  } catch (error) {
    throw damaged(error);
  }
  return members;
}

function damaged(error: unknown): NotAnArchive {
  return new NotAnArchive(`a damaged ZIP file: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
}

function describe(members: Members): string {
  if ([...members.keys()].some((path) => path.endsWith('.wacz'))) return 'a collection of WACZ files: give one of them';
  return 'a ZIP file without WARC files in its folder "archive"';
}

/** A stored file is read where it is, a compressed one is decompressed. */
async function openMember(zip: ZipFile, entry: Entry, opening: Opening): Promise<ByteSource> {
  const { handle, source, scratch } = opening;
  if (entry.compressionMethod !== 0 || entry.isEncrypted()) return await scratch.store(readMember(zip, entry, opening));
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch((error: unknown) => {
    throw damagedFile(entry, error);
  });
  return openPart(handle, fileDataStart, Math.min(entry.compressedSize, Math.max(0, source.bytes - fileDataStart)));
}

async function* readMember(zip: ZipFile, entry: Entry, { signal }: Opening): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      signal.throwIfAborted();
      // Not in object mode: the chunks are Buffers.
      yield chunk as Buffer;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw damagedFile(entry, error);
  }
}

function damagedFile({ fileName }: Entry, error: unknown): ArchiveDamaged {
  return new ArchiveDamaged(`its file "${fileName.slice(0, 100)}" is damaged: ${messageOf(error)}`, { cause: error });
}
