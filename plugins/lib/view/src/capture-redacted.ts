import type { Page } from '@platen/kernel';
import { captureView, type ViewOptions } from './capture-view.js';
import { drawLabels, type LabelOptions } from './draw-labels.js';
import { type SnapshotOptions, writeSnapshot } from './write-snapshot.js';

export type RedactedOptions = Pick<ViewOptions, 'refs'> & Pick<LabelOptions, 'signal'> & SnapshotOptions;

/** A page as it is, for people: its snapshot, and a JPEG in which texts that `redact` changes are painted over. */
export async function captureRedacted(
  page: Page,
  { refs, signal, ...writing }: RedactedOptions,
): Promise<{ readonly text: string; readonly picture: Buffer | undefined }> {
  const view = await captureView(page, refs === undefined ? {} : { refs });
  const { text, masks } = await writeSnapshot(view, writing);
  return { text, picture: await drawLabels(view, [], { signal, masks }) };
}
