/**
 * Finds the active content of a document, which runs when the document is opened or
 * clicked: scripts, event handlers, script URLs. Their effects are in the document already; a second run would repeat them. Elements of
 * other frames have other classes, so they are identified by name.
 */
export class ActiveContent {
  readonly #addresses = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data'];
  readonly #language =
    /^((application|text)\/(x-)?(java|ecma)script|text\/(javascript1\.[0-5]|jscript|livescript)|module|importmap|speculationrules)$/i;

  /** WHATWG HTML, "prepare the script element": with any other type it is a data block, which is never run. */
  isProgram(element: Element): boolean {
    // Read through prototypes, because a form may have a field of that name.
    const name: unknown = Reflect.get(Element.prototype, 'localName', element);
    const space: unknown = Reflect.get(Element.prototype, 'namespaceURI', element);
    if (name !== 'script' || !/\/(1999\/xhtml|2000\/svg)$/.test(String(space))) return false;
    const type = element.getAttribute('type')?.trim();
    if (type !== undefined) return type === '' || this.#language.test(type.split(';')[0]?.trim() ?? '');
    const language = element.getAttribute('language');
    return language === null || language === '' || this.#language.test(`text/${language}`);
  }

  /**
   * The attributes that run something, with their replacements; null removes the attribute. A link without an address would not be a
   * link.
   */
  disarm(element: Element): Readonly<Record<string, string | null>> {
    const names = Element.prototype.getAttributeNames.call(element);
    const changes: Record<string, string | null> = {};
    for (const name of names) {
      // Only names that the element itself knows are event handlers: `once` and `online` are not.
      if (/^on./i.test(name) && name.toLowerCase() in element) changes[name] = null;
      else if (this.#addresses.includes(name) && this.isScriptAddress(Element.prototype.getAttribute.call(element, name))) {
        changes[name] = name.endsWith('href') ? '#' : null;
      }
    }
    return changes;
  }

  /** WHATWG URL: leading blanks and control characters, and all tabs and line breaks, are ignored. */
  isScriptAddress(address: string | null): boolean {
    return /^[\0-\x20]*javascript:/i.test((address ?? '').replaceAll(/[\t\n\r]/g, ''));
  }
}
