import { openIsolatedFrameWorld, type Page, type PageFrame, type ProtocolSession } from '@platen/kernel';
import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import { ModalFeatures } from './in-page/modal-features.js';
import { ModalFinder, type Model } from './in-page/modal-finder.js';
import { ModalRemover } from './in-page/modal-remover.js';
import { ModalTraits } from './in-page/modal-traits.js';
import { ModalWords, type Wording } from './in-page/modal-words.js';
import { PageLocks } from './in-page/page-locks.js';
import { PageTree } from './in-page/page-tree.js';
import { MODEL } from './model.js';
import { CLOSE_NAMES, LABELS } from './words/labels.js';
import { TOPICS } from './words/topics.js';

/** A document of the page with the plugin's program in its isolated world. */
export interface ModalFrame {
  readonly frameId: string;
  readonly url: string;
  readonly main: boolean;
  readonly session: ProtocolSession;
  readonly contextId: number;
  /** Calls a function in the frame with the program installed there; it must not capture outer variables. */
  call<A extends readonly unknown[], R>(fn: (program: PageProgram, ...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Calls the source text of a function in the frame. Resolves with the result, by value. */
  callSource(source: string, args: readonly unknown[]): Promise<unknown>;
}

/** Ads may use dozens of frames. Frames beyond this number are not searched for consent managers. */
const MAX_FRAMES = 24;
const KNOWLEDGE = { wording: { topics: TOPICS, labels: LABELS, closeNames: CLOSE_NAMES }, model: MODEL };

/**
 * The frames of the page, including cross-site iframes, parents first. Skips frames that disappear meanwhile. `msLeft` limits each call.
 */
export async function openFrames(page: Page, msLeft: () => number): Promise<readonly ModalFrame[]> {
  const frames = (await page.frames(msLeft())).slice(0, MAX_FRAMES);
  const opened = await Promise.all(frames.map((frame) => openFrame(frame, msLeft).catch(() => undefined)));
  return opened.filter((frame) => frame !== undefined);
}

async function openFrame({ id: frameId, parentId, url, session }: PageFrame, msLeft: () => number): Promise<ModalFrame> {
  const world = await openIsolatedFrameWorld(session, frameId, { timeoutMs: msLeft() });
  const callSource = (source: string, args: readonly unknown[]) => world.callSource(source, args, msLeft());
  await callSource(INSTALL_SOURCE, [KNOWLEDGE]);
  return {
    ...{ frameId, url, main: parentId === undefined, session, contextId: world.contextId, callSource },
    async call<A extends readonly unknown[], R>(fn: (program: PageProgram, ...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const value = await callSource(`function (...args) { return (${String(fn)})(globalThis.platenModals, ...args); }`, args);
      // Returned by value, with the type that the function declares.
      return value as Awaited<R>;
    },
  };
}

/** The element that embeds a frame, in its parent's world; undefined if it is gone or the parent is not in the list. */
export async function findOwner(
  frame: ModalFrame,
  frames: readonly ModalFrame[],
): Promise<{ readonly parent: ModalFrame; readonly objectId: string } | undefined> {
  for (const session of new Set(frames.map((other) => other.session))) {
    const owner = await session.send('DOM.getFrameOwner', { frameId: frame.frameId }).catch(() => undefined);
    if (owner === undefined) continue;
    for (const parent of frames.filter((other) => other.session === session && other !== frame)) {
      const resolved = await session
        .send('DOM.resolveNode', { backendNodeId: owner.backendNodeId, executionContextId: parent.contextId })
        .catch(() => undefined);
      const objectId = resolved?.object.objectId;
      if (objectId !== undefined) return { parent, objectId };
    }
  }
  return undefined;
}

/** The object stored as `platenModals` in the isolated world of a frame. */
interface PageProgram {
  readonly finder: ModalFinder;
  readonly remover: ModalRemover;
}

const CLASSES = { FlatTree, PageTree, ModalWords, ModalTraits, ModalFeatures, ModalFinder, PageLocks, ModalRemover };

/** Takes the words and the model, and creates the program unless the frame has it. */
const install = definePageFunction(CLASSES, (classes, { wording, model }: { readonly wording: Wording; readonly model: Model }): void => {
  if (Reflect.has(globalThis, 'platenModals')) return;
  const tree = new classes.PageTree(new classes.FlatTree());
  const words = new classes.ModalWords(wording);
  const traits = new classes.ModalTraits(tree, words);
  const features = new classes.ModalFeatures(tree, words, traits);
  const finder = new classes.ModalFinder({ tree, words, features, model });
  const remover = new classes.ModalRemover({ tree, finder, traits, locks: new classes.PageLocks(tree) });
  Object.assign(globalThis, { platenModals: { finder, remover } satisfies PageProgram });
});

const INSTALL_SOURCE = install.toString();
