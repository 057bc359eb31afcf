import { withTimeout } from '@platen/kernel';
import type { UrlScope } from '@platen/lib-actions';
import type { Actor } from '@platen/lib-actor';
import type { Part } from '@platen/lib-models';
import { captureView, drawLabels, type RefTable, writeSnapshot } from '@platen/lib-view';
import { fencePage } from './prompt.js';

/** Upper limit of a snapshot: 120 products of a shop fit in. */
const MAX_SNAPSHOT_TOKENS = 8_000;
/** The page may replace its document while it is captured. */
const MAX_ATTEMPTS = 3;
const STOP_MS = 1_000;

export interface SeeOptions {
  readonly actor: Actor;
  readonly refs: RefTable;
  readonly scope: UrlScope;
  readonly redact: (text: string) => string;
  readonly hasLabels: boolean;
  /** Without it, no screenshot is taken. */
  readonly vision: boolean;
  /** Milliseconds for the page to respond. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The current tab as a model sees it. An open dialog hides its page. */
export async function seePage(options: SeeOptions): Promise<readonly Part[]> {
  const { actor, redact } = options;
  const { dialog } = actor;
  const tabs = describeTabs(actor, redact);
  if (dialog !== undefined) {
    const { type, message, defaultPrompt } = dialog;
    const proposed = defaultPrompt === '' ? '' : ` (proposed answer: ${JSON.stringify(redact(defaultPrompt))})`;
    return fencePage(`${tabs}An open dialog (${type}) says: ${JSON.stringify(redact(message))}${proposed}\n`, undefined);
  }
  const captured = await withTimeout(captureSettled(options), options.timeoutMs);
  if (captured === undefined) {
    // Chromium holds back all calls to a page while it waits for a response: the next step would not see the page either.
    await withTimeout(
      actor.page.send('Page.stopLoading').catch(() => undefined),
      STOP_MS,
    );
    return fencePage(`${tabs}The page does not respond. If it was loading another page, that was stopped.\n`, undefined);
  }
  return fencePage(tabs + captured.text, captured.image);
}

async function captureSettled(options: SeeOptions): Promise<Captured> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await capture(options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (attempt === MAX_ATTEMPTS) throw error;
      await options.actor.settle(options.signal);
    }
  }
}

interface Captured {
  readonly text: string;
  readonly image: Buffer | undefined;
}

async function capture({ actor, refs, scope, redact, hasLabels, vision, signal }: SeeOptions): Promise<Captured> {
  const view = await captureView(actor.page, { refs, screenshot: vision });
  const allowsUrl = (url: string) => scope.allows(url);
  const { text, boxes, masks } = await writeSnapshot(view, { maxTokens: MAX_SNAPSHOT_TOKENS, redact, allowsUrl });
  return { text, image: await drawLabels(view, hasLabels ? boxes : [], { signal, masks }) };
}

function describeTabs({ tabs }: Actor, redact: (text: string) => string): string {
  if (tabs.length < 2) return '';
  const lines = tabs.map(({ id, url, isCurrent }) => `${id} ${redact(url).slice(0, 200)}${isCurrent ? ' (current)' : ''}`);
  return `Tabs: ${lines.join('; ')}\n`;
}
