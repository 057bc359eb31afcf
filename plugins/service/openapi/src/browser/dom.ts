type Child = Node | string | undefined | readonly (Node | string | undefined)[];

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with its attributes and children. Text stays text: nothing that a server said is ever read as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** A button that does not submit. */
export function makeButton(text: string, attributes: Attributes, onPress: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', ...attributes }, text);
  button.addEventListener('click', onPress);
  return button;
}

/** A text with its `code` in elements of its own. */
export function makeText(text: string): readonly (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));
}

/** The element that the page has by this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** Puts the text on the clipboard, also where the page came over plain HTTP; resolves with whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The other way may be allowed.
    }
  }
  const area = make('textarea', { class: 'visually-hidden', 'aria-hidden': true }, text);
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way that a page of an insecure origin has
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
