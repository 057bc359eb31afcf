type Child = Node | string | undefined | readonly (Node | string | undefined)[];

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element. Text is never parsed as HTML. */
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

/** A text with its `code` in `<code>` elements. */
export function makeText(text: string): readonly (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));
}

/** The element with this id; throws if it does not exist. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** Copies the text to the clipboard, also in pages over plain HTTP. Resolves with whether it succeeded. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The fallback may be allowed.
    }
  }
  const area = make('textarea', { class: 'visually-hidden', 'aria-hidden': true }, text);
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only method in insecure origins
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}
