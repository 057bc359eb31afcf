import { addAbortSignal, Readable } from 'node:stream';
import {
  contextKey,
  type EncodeContext,
  isDiskFull,
  KERNEL_VERSION,
  PlatenError,
  type RenderContext,
  type RenderPlan,
  TEMPORARY_DISK,
} from '@platen/kernel';
import { type CdxIndex, createCdxIndex, openWarc, openWarcFile, pagesOf, spoolStream, writePage } from '@platen/lib-warc';
import type { ExchangeRecord } from '@platen/plugin-network';
import type { StoredWalk, Walk, WalkSummary } from '@platen/plugin-walk';

interface Archiving {
  /** Undefined if none is requested. */
  readonly index: CdxIndex | undefined;
  /** Whether the WARC was written to its end. */
  complete: boolean;
}

export const archivingKey = contextKey<Archiving>('warc: archive');

export function startArchiving({ params, onRenderEnd }: RenderContext<{ readonly with_archive_cdx?: boolean }>): Archiving {
  const index = params.with_archive_cdx === true ? createCdxIndex() : undefined;
  if (index) onRenderEnd(() => Promise.resolve(index[Symbol.asyncDispose]()));
  return { index, complete: false };
}

/**
 * The WARC of a walk, while it is visited. With an index it is written first: the response names its assets before its body, so the index
 * must be complete by then. So is one that can be continued.
 *
 * @throws `encode_failed` if the disk is full
 */
export async function archiveWalk(walk: Walk, context: EncodeContext): Promise<Readable> {
  if (walk.stored !== undefined) return writeStored(walk, walk.stored, context);
  return context.get(archivingKey)?.index === undefined ? streamWalk(walk, context) : await spoolWalk(walk, context);
}

/**
 * The WARC of a walk, written to a private file before it is returned.
 *
 * @throws `encode_failed` if the disk is full
 */
export async function spoolWalk(walk: Walk, context: EncodeContext): Promise<Readable> {
  try {
    return await spoolStream(addAbortSignal(context.signal, streamWalk(walk, context)));
  } catch (cause) {
    throw isDiskFull(cause)
      ? new PlatenError('encode_failed', `the warc could not be written: ${TEMPORARY_DISK} is full`, { cause })
      : cause;
  }
}

/** Continues the file after its last checkpoint. */
async function writeStored(walk: Walk, { file, journal, checkpoint, commit }: StoredWalk, context: EncodeContext): Promise<Readable> {
  const archiving = context.get(archivingKey);
  const filename = nameArchive(context.plan.url);
  const wrote = (bytes: number) => {
    walk.wrote(bytes);
  };
  await using warc = await openWarcFile({ file, journal, checkpoint, filename, index: archiving?.index, wrote, clock: context.clock });
  const { writer } = warc;
  if (checkpoint === undefined) await writer.warcinfo(describeArchive(context.plan, walk.browser));
  for await (const page of walk.pages()) {
    await writePage(writer, page);
    commit(await warc.commit());
  }
  const closingInfo = describeEnd(walk.summary);
  if (closingInfo) await writer.warcinfo(closingInfo);
  if (archiving) archiving.complete = true;
  return warc.read();
}

function streamWalk(walk: Walk, context: EncodeContext): Readable {
  return openArchive(context, {
    pages: walk.pages(),
    info: describeArchive(context.plan, walk.browser),
    closingInfo: () => describeEnd(walk.summary),
    wrote: (bytes) => {
      walk.wrote(bytes);
    },
  });
}

/** The WARC of a recording beside another output. */
export function archiveRecord(record: ExchangeRecord, context: EncodeContext<{ readonly warc_captures_navigation?: boolean }>): Readable {
  return openArchive(context, {
    pages: pagesOf(record, { url: context.plan.url, visits: context.params.warc_captures_navigation === true ? 'all' : 'last' }),
    info: describeArchive(context.plan, record.browser),
    closingInfo: () =>
      record.dropped === 0 ? undefined : { description: `${String(record.dropped)} requests omitted: the recording had reached its limit` },
  });
}

function openArchive(
  context: Pick<EncodeContext, 'plan' | 'get' | 'clock'>,
  content: Omit<Parameters<typeof openWarc>[0], 'filename' | 'index' | 'clock'>,
): Readable {
  const archiving = context.get(archivingKey);
  const stream = openWarc({ ...content, filename: nameArchive(context.plan.url), index: archiving?.index, clock: context.clock });
  stream.once('end', () => {
    if (archiving) archiving.complete = true;
  });
  return stream;
}

/**
 * The lines of the index.
 *
 * @throws `encode_failed` if the WARC is not complete
 */
export function readIndex(context: Pick<EncodeContext, 'get'>): Readable {
  const { index, complete = false } = context.get(archivingKey) ?? {};
  if (!index || !complete) throw new PlatenError('encode_failed', 'the index could not be written: the WARC is not complete');
  return Readable.from(textOf(index), { objectMode: false });
}

/** @throws `encode_failed` if the disk was too full for the index */
async function* textOf(index: CdxIndex): AsyncGenerator<string> {
  try {
    for await (const line of index.lines()) yield `${line}\n`;
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new PlatenError('encode_failed', `the index could not be written: ${TEMPORARY_DISK} is full`, { cause });
  }
}

/** Parameters that explain an archive's content and contain no credentials. URLs, headers, cookies and scripts may contain some. */
const PUBLIC_PARAMETERS =
  /^(?:archive_body_size_limit|archive_spill_max_bytes|crawl_(?:concurrency|delay|link_depth|links|max_links|media_sources|page_timeout|sitemap_max_depth|url_is_sitemap)|device|javascript|output_type|skip_robots_txt|timeout|warc_captures_navigation)$/;

/** The fields of the first record (WARC 1.1, 6.2). */
export function describeArchive(
  { params }: Pick<RenderPlan, 'params'>,
  browser: ExchangeRecord['browser'],
): Readonly<Record<string, string>> {
  const shown = Object.entries(params).filter(([name]) => PUBLIC_PARAMETERS.test(name));
  return {
    software: `Platen/${KERNEL_VERSION} (${browser.name}/${browser.version})`,
    format: 'WARC File Format 1.1',
    conformsTo: 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    parameters: JSON.stringify(Object.fromEntries(shown)),
  };
}

/** The fields of a last record: only a walk that ended early has one. */
export function describeEnd({ done, failed, stopReason }: WalkSummary): Readonly<Record<string, string>> | undefined {
  if (stopReason === undefined) return undefined;
  return {
    stop_reason: stopReason,
    description: `${String(done)} pages archived, ${String(failed)} failed; the walk ended before its queue was empty`,
  };
}

/** The name of the file in its records and its index: its server's. */
export function nameArchive(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return `${host.replace(/[^\w.-]+/g, '-') || 'page'}.warc.gz`;
}
