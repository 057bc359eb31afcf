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

const CLASSES = { PageTree, ModalWords, ModalTraits, ModalFeatures, ModalFinder, PageLocks, ModalRemover };

/** Runs in the page. The classes are passed as an argument because a bundler may rename them. */
function install(classes: typeof CLASSES, { wording, model }: { readonly wording: Wording; readonly model: Model }): void {
  const tree = new classes.PageTree();
  const words = new classes.ModalWords(wording);
  const traits = new classes.ModalTraits(tree, words);
  const features = new classes.ModalFeatures(tree, words, traits);
  const finder = new classes.ModalFinder({ tree, words, features, model });
  const remover = new classes.ModalRemover({ tree, finder, traits, locks: new classes.PageLocks(tree) });
  Object.assign(globalThis, { platenModals: { finder, remover } satisfies PageProgram });
}

/** Source text of a function that takes the words and the model and creates the program. */
export const INSTALL_SOURCE = `function (knowledge) {
  if (globalThis.platenModals === undefined) (${String(install)})({ ${Object.entries(CLASSES)
    .map(([name, definition]) => `${name}: ${String(definition)}`)
    .join(', ')} }, knowledge);
}`;
