/**
 * Runs in the page: closes over nothing. What of a document runs when it is opened: scripts and handlers of events. What they have
 * done stands in the document already; run again they would do it twice.
 */
export class DocumentPrograms {
  readonly #language =
    /^((application|text)\/(x-)?(java|ecma)script|text\/(javascript1\.[0-5]|jscript|livescript)|module|importmap|speculationrules)$/i;

  /** WHATWG HTML, "prepare the script element": any other type makes it a block of data, which nothing runs. */
  isProgram(element: Element): boolean {
    if (!(element instanceof HTMLScriptElement || element instanceof SVGScriptElement)) return false;
    const type = element.getAttribute('type')?.trim();
    if (type !== undefined) return type === '' || this.#language.test(type.split(';')[0]?.trim() ?? '');
    const language = element.getAttribute('language');
    return language === null || language === '' || this.#language.test(`text/${language}`);
  }

  /** The attributes that handle events: those that the element itself knows, so that `once` and `online` are none. */
  handlers(element: Element): readonly string[] {
    const names = Element.prototype.getAttributeNames.call(element);
    return names.filter((name) => /^on./i.test(name) && name.toLowerCase() in element);
  }
}
