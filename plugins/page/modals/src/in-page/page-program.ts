import { ModalFinder } from './modal-finder.js';
import { ModalRemover } from './modal-remover.js';
import { ModalTraits } from './modal-traits.js';
import { ModalWords, type Wording } from './modal-words.js';
import { PageLocks } from './page-locks.js';
import { PageTree } from './page-tree.js';

/** What a frame's world holds under the name `platenModals`. */
export interface PageProgram {
  readonly finder: ModalFinder;
  readonly remover: ModalRemover;
}

const CLASSES = { PageTree, ModalWords, ModalTraits, ModalFinder, PageLocks, ModalRemover };

/** Runs in the page. The classes come as an argument, so that a bundler may rename them. */
function install(classes: typeof CLASSES, wording: Wording): void {
  const tree = new classes.PageTree();
  const words = new classes.ModalWords(wording);
  const traits = new classes.ModalTraits(tree, words);
  const finder = new classes.ModalFinder(tree, words, traits);
  const remover = new classes.ModalRemover({ tree, finder, traits, locks: new classes.PageLocks(tree) });
  Object.assign(globalThis, { platenModals: { finder, remover } satisfies PageProgram });
}

/** Source text of a function that takes the wording and makes the program. */
export const INSTALL_SOURCE = `function (wording) {
  if (globalThis.platenModals === undefined) (${String(install)})({ ${Object.entries(CLASSES)
    .map(([name, definition]) => `${name}: ${String(definition)}`)
    .join(', ')} }, wording);
}`;
