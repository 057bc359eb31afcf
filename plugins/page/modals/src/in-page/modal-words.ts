import { CLOSE_NAMES, LABELS } from './words/labels.js';
import { TOPICS } from './words/topics.js';

/** The role of a button, derived from its label. */
export type ButtonRole = 'refuse' | 'settings' | 'accept' | 'close' | 'offer' | 'other';

export type Topic = keyof typeof TOPICS;

/** Classifies the texts of overlays and the labels of their buttons. */
export class ModalWords {
  readonly #topics = compile(TOPICS);
  readonly #labels = compile(LABELS);
  readonly #closeNames = new RegExp(CLOSE_NAMES, 'i');

  isAbout(topic: Topic, text: string): boolean {
    return this.#topics[topic].test(text);
  }

  /** Whether a button with this label allows necessary cookies only. */
  isNecessary(label: string): boolean {
    return label.length <= 80 && this.#labels.necessary.test(label);
  }

  role(element: HTMLElement, label: string): ButtonRole {
    const says = (name: keyof typeof LABELS): boolean => this.#labels[name].test(label);
    if (label.length <= 80) {
      if (says('avoid')) return says('refuse') || says('necessary') ? 'settings' : says('accept') ? 'accept' : 'offer';
      if (says('leave')) return 'close';
      if (says('necessary')) return 'refuse';
      for (const role of ['refuse', 'settings', 'accept', 'close'] as const) {
        // "Accept" is checked before "close": a label such as "Close and accept" accepts.
        if (says(role)) return role;
      }
    }
    const names = [element.className, element.id, ...element.getAttributeNames().filter((name) => /dismiss|close/.test(name))];
    return label.length <= 3 && this.#closeNames.test(names.join(' ')) ? 'close' : 'other';
  }
}

function compile<K extends string>(lists: Readonly<Record<K, readonly string[]>>): Readonly<Record<K, RegExp>> {
  const compiled = Object.entries<readonly string[]>(lists).map(([name, list]) => [name, new RegExp(list.join('|'), 'iu')]);
  // It has the same keys.
  return Object.fromEntries(compiled) as Record<K, RegExp>;
}
