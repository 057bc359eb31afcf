import { FlatTree } from '@platen/lib-page-functions';
import { ModalFeatures } from './modal-features.js';
import { ModalFinder } from './modal-finder.js';
import { ModalRemover, type Removal } from './modal-remover.js';
import type { ModalKind } from './modal-traits.js';
import { ModalTraits } from './modal-traits.js';
import { ModalWords } from './modal-words.js';
import { PageLocks } from './page-locks.js';
import { PageTree } from './page-tree.js';

/** In the isolated world of a frame, between the calls of the functions below. */
interface World {
  platenModals?: { readonly finder: ModalFinder; readonly remover: ModalRemover };
}

// No other script writes there.
const world = globalThis as World;

/** Creates the state, unless the frame has it. The other functions require it. */
export function install(): void {
  if (world.platenModals !== undefined) return;
  const tree = new PageTree(new FlatTree());
  const words = new ModalWords();
  const traits = new ModalTraits(tree, words);
  const features = new ModalFeatures(tree, words, traits);
  const finder = new ModalFinder({ tree, words, features });
  const remover = new ModalRemover({ tree, finder, traits, locks: new PageLocks(tree) });
  world.platenModals = { finder, remover };
}

function state(): NonNullable<World['platenModals']> {
  if (world.platenModals === undefined) throw new Error('nothing is installed');
  return world.platenModals;
}

/** Removes the current overlays. Returns all removals since the last call. */
export function sweep(options: Parameters<ModalRemover['sweep']>[0]): Promise<readonly Removal[]> {
  return state().remover.sweep(options);
}

/** Refuses the modal that fills the whole document, in a frame over another page. */
export function answerDocument(): ReturnType<ModalRemover['answerDocument']> {
  return state().remover.answerDocument();
}

/** Removes what modals leave behind. */
export function tidy(): void {
  state().remover.tidy({ wall: false });
}

/** Records the time of every change from now on. */
export function watch(): void {
  state().remover.watch();
}

/** Resolves when the document has not changed for a while. */
export function waitForIdle(limits: Parameters<ModalRemover['waitForIdle']>[0]): Promise<void> {
  return state().remover.waitForIdle(limits);
}

/** Hides later overlays too. */
export function guard(): void {
  state().remover.guard();
}

/** Removes hidden elements from the document. */
export function drop(): readonly Removal[] {
  return state().remover.drop();
}

/** Whether a frame element overlays the page. */
export function isLayered(frame: Element): boolean {
  return state().finder.isLayered(frame);
}

/** Records the kind of modal in a frame, given the frame's element. */
export function noteFrame(frame: Element, kind: ModalKind): void {
  state().finder.noteFrame(frame, kind);
}
