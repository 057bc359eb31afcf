import type { ActiveContent } from './active-content.js';

/** Null for parts that a script may have removed. */
interface FrameDocument {
  readonly URL: string;
  readonly documentElement: Element | null;
  readonly doctype: DocumentType | null;
  readonly body: Element | null;
}

/**
 * Frames whose content cannot be loaded by URL, because script has written it or the
 * page contains it. The content becomes their `srcdoc`, without active content.
 */
export class DocumentFrames {
  readonly #programs: ActiveContent;

  constructor(programs: ActiveContent) {
    this.#programs = programs;
  }

  /** The attributes that give an `iframe` its content; none if its URL does. */
  attributes(frame: Element): Readonly<Record<string, string | null>> {
    const content: unknown = Reflect.get(frame, 'contentDocument');
    if (content === null || content === undefined || !this.#isLocal(frame)) return {};
    // It has this origin, or it would be null. It has another frame's classes, so `instanceof` fails.
    const inner = content as FrameDocument;
    const html = this.#isAddressed(inner, frame) ? '' : this.#write(inner);
    return html === '' ? {} : { src: null, srcdoc: html };
  }

  #isLocal(frame: Element): boolean {
    const get = (name: string) => Element.prototype.getAttribute.call(frame, name);
    if (get('srcdoc') !== null) return true;
    const address = (get('src') ?? '').trim();
    return address === '' || /^about:blank([?#]|$)/i.test(address) || this.#programs.isScriptAddress(address);
  }

  /** A script has navigated it. A document written by script has the URL of the document that wrote it. */
  #isAddressed({ URL: address }: FrameDocument, { baseURI }: Element): boolean {
    const plain = (url: string) => url.replace(/#.*/s, '');
    const own: unknown = Reflect.get(Document.prototype, 'URL', document);
    return !address.startsWith('about:') && ![baseURI, String(own)].map(plain).includes(plain(address));
  }

  /** Of another frame, and so with other classes than here; empty if the body is empty. */
  #write({ documentElement: root, doctype, body }: FrameDocument): string {
    if (root === null || body === null || body.childNodes.length === 0) return '';
    // Cloned, so that the page is not changed; both have their elements in the same order. A clone has the class of its original.
    const copy = root.cloneNode(true) as Element;
    const originals = Array.from(root.querySelectorAll('*'));
    for (const [at, element] of Array.from(copy.querySelectorAll('*')).entries()) {
      const original = originals[at];
      if (this.#programs.isProgram(element)) element.remove();
      const frames = element.localName === 'iframe' && original !== undefined ? this.attributes(original) : {};
      this.#change(element, { ...this.#programs.disarm(element), ...frames });
    }
    this.#change(copy, this.#programs.disarm(copy));
    return `${doctype === null ? '' : '<!DOCTYPE html>'}${copy.outerHTML}`;
  }

  #change(element: Element, attributes: Readonly<Record<string, string | null>>): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
  }
}
