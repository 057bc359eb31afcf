import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Clock, withoutUserinfo } from '@platen/kernel';
import { openCut, writeAll } from '@platen/lib-warc';
import type { StoredWalk, Walk, WalkedPage } from '@platen/plugin-walk';
import type { Member } from './params.js';
import type { PageData } from './read-members.js';

export interface LineForm {
  readonly members: readonly Member[];
  readonly clock: Clock;
}

/** The lines of a walk, while it is visited; those of a walk that can be continued are written to its file first. */
export async function openLines(walk: Walk, form: LineForm): Promise<Readable> {
  if (walk.stored !== undefined) return writeStored(walk, walk.stored, form);
  return Readable.from(listLines(walk, form), { objectMode: false });
}

/** Continues the file after its last whole line. */
async function writeStored(walk: Walk, { file: path, checkpoint, commit }: StoredWalk, form: LineForm): Promise<Readable> {
  let bytes = Number(checkpoint ?? 0);
  const file = await openCut(path, bytes);
  try {
    walk.wrote(bytes);
    for await (const line of listLines(walk, form)) {
      await writeAll(file, line, bytes);
      await file.datasync();
      bytes += line.length;
      commit(String(bytes));
    }
  } finally {
    await file.close();
  }
  return createReadStream(path);
}

async function* listLines(walk: Walk, form: LineForm): AsyncGenerator<Buffer> {
  for await (const page of walk.pages()) {
    if (!page.isPage) continue;
    const line = Buffer.from(`${JSON.stringify(describePage(page, form))}\n`);
    walk.wrote(line.length);
    yield line;
  }
}

function describePage({ url, status, title, depth, parent, startedAt, data, ...page }: WalkedPage, { members, clock }: LineForm): object {
  // The result of `readMembers`.
  const read = data as PageData | undefined;
  return {
    ...{ url: withoutUserinfo(url), status: status ?? null, title, depth },
    ...{
      parent: parent === undefined ? null : withoutUserinfo(parent),
      fetched_at: (clock.isFrozen ? clock.now() : startedAt).toISOString(),
    },
    error: page.error ?? read?.error ?? explain(status, page.loadState),
    ...Object.fromEntries(members.map((member) => [member, read?.members[member] ?? null])),
  };
}

function explain(status: number | undefined, loadState: WalkedPage['loadState']): string | null {
  if (status !== undefined && status >= 400) return `its server responded with status ${String(status)}`;
  return loadState === 'timeout' ? 'the page did not load in its time' : null;
}
