import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import { ModalFeatures } from './modal-features.js';
import { ModalFinder, type Model } from './modal-finder.js';
import { ModalRemover } from './modal-remover.js';
import { ModalTraits } from './modal-traits.js';
import { ModalWords, type Wording } from './modal-words.js';
import { PageLocks } from './page-locks.js';
import { PageTree } from './page-tree.js';

/** The object stored as `platenModals` in the isolated world of a frame. */
export interface PageProgram {
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

export const INSTALL_SOURCE = install.toString();
