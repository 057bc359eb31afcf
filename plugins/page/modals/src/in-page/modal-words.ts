/** The role of a button, derived from its label. */
export type ButtonRole = 'refuse' | 'settings' | 'accept' | 'close' | 'offer' | 'other';

/** Regular expressions by topic or role, as text, since they are sent to the page. */
export interface Wording {
  readonly topics: Readonly<
    Record<
      | 'consent'
      | 'consentWord'
      | 'wall'
      | 'promotion'
      | 'notToday'
      | 'biscuits'
      | 'firstOrder'
      | 'offer'
      | 'basket'
      | 'age'
      | 'vice'
      | 'password'
      | 'chat',
      readonly string[]
    >
  >;
  readonly labels: Readonly<Record<'avoid' | 'leave' | 'necessary' | 'refuse' | 'settings' | 'accept' | 'close', readonly string[]>>;
  readonly closeNames: string;
}

export type Topic = keyof Wording['topics'];

/** Runs in the page; must not capture outer variables. Classifies the texts of overlays and the labels of their buttons. */
export class ModalWords {
  readonly #topics: ReadonlyMap<string, RegExp>;
  readonly #labels: ReadonlyMap<string, RegExp>;
  readonly #closeNames: RegExp;

  constructor({ topics, labels, closeNames }: Wording) {
    const compile = (lists: Readonly<Record<string, readonly string[]>>) =>
      new Map(Object.entries(lists).map(([name, list]) => [name, new RegExp(list.join('|'), 'iu')]));
    this.#topics = compile(topics);
    this.#labels = compile(labels);
    this.#closeNames = new RegExp(closeNames, 'i');
  }

  isAbout(topic: Topic, text: string): boolean {
    return this.#topics.get(topic)?.test(text) ?? false;
  }

  /** Whether a button with this label allows necessary cookies only. */
  isNecessary(label: string): boolean {
    return label.length <= 80 && this.#labels.get('necessary')?.test(label) === true;
  }

  role(element: HTMLElement, label: string): ButtonRole {
    const says = (name: keyof Wording['labels']): boolean => this.#labels.get(name)?.test(label) === true;
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
