import { withTimeout } from '@platen/kernel';
import type { ActionParts } from '@platen/lib-actions';
import { captureRedacted } from '@platen/lib-view';

/** Milliseconds: the client waits for the error. */
const SHOW_MS = 5_000;
/** Of the time that is left for the error itself. */
const REST_MS = 500;
/** Tokens of the page's snapshot. */
const MAX_TOKENS = 1_000;

export interface Evidence {
  /** What was on the page: a snapshot, or the dialog that hides it. */
  readonly page: string;
  /** JPEG, without characters of credentials. */
  readonly picture: Buffer | undefined;
}

/** The page as it is. */
export async function takeEvidence({
  actor,
  refs,
  navigation: { redact },
  context: { signal, deadlineAt },
}: ActionParts): Promise<Evidence> {
  const { dialog } = actor;
  if (dialog !== undefined) return { page: redact(`A dialog (${dialog.type}) says: ${dialog.message}`), picture: undefined };
  const limitMs = Math.max(REST_MS, Math.min(SHOW_MS, deadlineAt - performance.now() - REST_MS));
  const taking = (async () => {
    const { text: page, picture } = await captureRedacted(actor.page, { refs, signal, redact, maxTokens: MAX_TOKENS });
    return { page, picture };
  })();
  return (
    (await withTimeout(
      taking.catch(() => undefined),
      limitMs,
    )) ?? { page: 'The page does not respond.', picture: undefined }
  );
}
