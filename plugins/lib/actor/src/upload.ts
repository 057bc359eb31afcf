import { withTimeout, type ProtocolSession } from '@platen/kernel';
import { ActionError, type UploadFile } from './action.js';
import type { Attempt } from './attempt.js';
import { openNode, type PageElement } from './element.js';
import { findFileInput, setFiles } from './in-page/index.js';
import { clickAt } from './pointer.js';
import { reachElement } from './reach-element.js';

/** Milliseconds in which a button must open its file chooser. */
const CHOOSER_MS = 2_000;

/**
 * Gives files to a file input: to the element, to that of a label or wrapper, or to the input whose file chooser the element opens. The
 * files are made in the page, because the browser's process may not read ours.
 */
export async function uploadFiles(target: PageElement, files: readonly UploadFile[], attempt: Attempt): Promise<void> {
  const input = (await target.find(findFileInput)) ?? (await openChooser(target, attempt));
  if (input === undefined) throw new ActionError(`${target.ref} does not take files`);
  const sent = files.map(({ name, type, data }) => ({ name, type, base64: data.toString('base64') }));
  attempt.begin();
  const refusal = await input.call(setFiles, sent);
  if (refusal !== undefined) throw new ActionError(`${target.ref} ${refusal}`);
}

/** The input of the file chooser that a click opens; choosers are intercepted. */
async function openChooser(target: PageElement, attempt: Attempt): Promise<PageElement | undefined> {
  const { frame, frames } = target;
  let stop: readonly (() => void)[] = [];
  const opened = new Promise<{ readonly frameId: string; readonly backendNodeId?: number }>((resolve) => {
    stop = [...new Set<Pick<ProtocolSession, 'on'>>([attempt.page, frame.session])].map((session) =>
      session.on('Page.fileChooserOpened', resolve),
    );
  });
  try {
    await clickAt((attempt.noted.point = await reachElement(target, attempt)), attempt);
    const { frameId, backendNodeId } = (await withTimeout(opened, CHOOSER_MS)) ?? {};
    const owner = frames.get(frameId ?? '');
    if (backendNodeId === undefined || owner === undefined) return undefined;
    return await openNode({ ref: target.ref, frame: owner, frames }, backendNodeId, attempt);
  } finally {
    for (const end of stop) end();
  }
}
