import type { NodeReader } from './node-reader.js';

/**
 * The text of controls as a person reads it, and images with the address that they
 * have or will have.
 */
export class ContentMedia {
  readonly #reader: NodeReader;

  constructor(reader: NodeReader) {
    this.#reader = reader;
  }

  /** The readable text of a control; a mark if it is checked. */
  control(element: Element): { readonly text: string } | { readonly html: string } {
    const name = this.#reader.name(element);
    // Checked by name and namespace, because it may belong to any window; so below.
    if (name === 'textarea') return { text: this.#typed(element as HTMLTextAreaElement) };
    // As above.
    if (name === 'select') return { text: this.#chosen(element as HTMLSelectElement) };
    // As above.
    return this.#input(element as HTMLInputElement);
  }

  #typed(field: HTMLTextAreaElement | HTMLInputElement): string {
    return field.value === '' ? field.placeholder : field.value;
  }

  #chosen({ options, multiple, size }: HTMLSelectElement): string {
    const shown = Array.from(options).filter((option) => option.selected || multiple || size > 1);
    return shown.map(({ label }) => label).join(multiple || size > 1 ? '\n' : ' ');
  }

  #input(input: HTMLInputElement): { readonly text: string } | { readonly html: string } {
    const { type } = input;
    if (type === 'checkbox' || type === 'radio') {
      return { html: `<input type="${type}"${input.checked ? ' checked=""' : ''}${input.disabled ? ' disabled=""' : ''}>` };
    }
    if (['hidden', 'password', 'range', 'color', 'file'].includes(type)) return { text: '' };
    if (type === 'image') return { text: input.alt };
    // The browser's default label of a button without text.
    const names: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset' };
    const label = this.#reader.attribute(input, 'value') ?? names[type];
    return { text: label !== undefined && type in names ? label : this.#typed(input) };
  }

  /** Empty if there is no address, so that the image is replaced by its text; null for an invisible image, such as a tracking pixel. */
  source(image: HTMLImageElement): string | null {
    const { currentSrc, complete, naturalWidth, naturalHeight } = image;
    const address = currentSrc === '' ? image.src : currentSrc;
    const dot = (complete && naturalWidth === 1 && naturalHeight === 1) || (this.alt(image) === '' && this.#isEmptyDrawing(address));
    if (address === '' || dot || this.#isPlaceholder(address)) {
      const later = this.#later(image);
      if (later !== null) return later;
    }
    if (dot) return null;
    // The address of an image that the page's policy blocks is as it was written.
    return /^(data|blob):/i.test(address) ? address : (this.#reader.resolve(image, address) ?? '');
  }

  alt(image: Element): string {
    const own = this.#reader.attribute(image, 'alt') ?? '';
    const { alt = '' } = own === '' ? (this.#withoutScript(image) ?? {}) : {};
    return own === '' ? alt : own;
  }

  /** A placeholder of an image that the page loads when it is scrolled to. */
  #isPlaceholder(address: string): boolean {
    return /^data:image\//i.test(address) && address.length < 2048;
  }

  /** A drawing that only takes up space. */
  #isEmptyDrawing(address: string): boolean {
    const [, base64, data = ''] = /^data:image\/svg\+xml[^,]*?(;base64)?,(.*)$/is.exec(address.slice(0, 2048)) ?? [];
    try {
      return /^\s*<svg\b[^>]*(\/>|>\s*<\/svg>)\s*$/i.test(base64 === undefined ? decodeURIComponent(data) : atob(data));
    } catch {
      return false;
    }
  }

  /** The image in a `noscript` beside a placeholder. */
  #withoutScript(image: Element): HTMLImageElement | null {
    const { parentElement: parent } = image;
    const places = parent?.childElementCount === 1 || parent?.localName === 'picture' ? [image, parent] : [image];
    const siblings = places.flatMap((at) => [at.nextElementSibling, at.previousElementSibling]);
    const text = siblings.find((at) => at?.localName === 'noscript')?.textContent ?? '';
    if (text === '') return null;
    try {
      return new DOMParser().parseFromString(text, 'text/html').querySelector('img:not([width="1"], [height="1"])');
    } catch {
      // The page's policy (Trusted Types) may refuse to parse.
      return null;
    }
  }

  /** The attributes in which such pages store the URL of the real image. */
  #later(image: HTMLImageElement): string | null {
    const named = ['data-src', 'data-original', 'data-lazy-src'].map((name) => this.#reader.attribute(image, name)?.trim() ?? '');
    const replacement = this.#withoutScript(image)?.getAttribute('src') ?? '';
    const candidates = (this.#reader.attribute(image, 'data-srcset') ?? this.#reader.attribute(image, 'srcset') ?? '')
      .split(/,\s+/)
      .map((entry) => entry.trim().split(/\s+/)[0] ?? '');
    const found = [...named, replacement, ...candidates.reverse()].find((address) => address !== '' && !address.startsWith('data:'));
    return found === undefined ? null : this.#reader.resolve(image, found);
  }
}
