import type { Rule, Rules } from '../rule.js';
import { readNumber } from './read-number.js';
import { textOf, toUrl, URL_ATTRIBUTES } from './values.js';

/** A required element is missing. The message is the place of its rule. */
export class MissingError extends Error {}

/** Reads the values of rules. The document itself stays as it is. */
export class RuleReader {
  readFields(root: Document | Element, rules: Rules): object {
    return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, this.#read(root, rule)]));
  }

  #read(root: Document | Element, rule: Rule): unknown {
    const found = this.#find(root, rule);
    const values = (rule.all === true ? found : found.slice(0, 1)).map((element) => this.#valueOf(element, rule));
    const isMissing = values.length === 0 || values.every((value) => value === null || value === '');
    if (rule.required === true && isMissing) throw new MissingError(rule.place);
    return rule.all === true ? values : (values[0] ?? null);
  }

  #find(root: Document | Element, { selector, all }: Rule): readonly Element[] {
    if (root instanceof Element && selector.trim() === ':scope') return [root];
    if (all === true) return Array.from(root.querySelectorAll(selector));
    const first = root.querySelector(selector);
    return first === null ? [] : [first];
  }

  #valueOf(element: Element, rule: Rule): unknown {
    if (rule.fields !== undefined) return this.readFields(element, rule.fields);
    if (rule.type === 'html') return element.innerHTML;
    if (rule.type === 'markdown') return { platenHtml: this.#cleanHtml(element) };
    const { attribute } = rule;
    const type = rule.type ?? (attribute !== undefined && URL_ATTRIBUTES.includes(attribute.toLowerCase()) ? 'url' : 'text');
    const text = attribute !== undefined ? element.getAttribute(attribute) : type === 'url' ? this.#addressOf(element) : textOf(element);
    if (text === null) return null;
    if (type === 'url') return toUrl(text);
    return type === 'number' ? readNumber(text) : text;
  }

  /** The address that an element leads to or shows, or else its text. */
  #addressOf(element: Element): string {
    const name = URL_ATTRIBUTES.find((attribute) => element.hasAttribute(attribute));
    return (name === undefined ? null : element.getAttribute(name)) ?? textOf(element);
  }

  /** With absolute URLs, and without hidden and active content. */
  #cleanHtml(element: Element): string {
    // A clone has the class of its original.
    const copy = element.cloneNode(true) as Element;
    for (const hidden of Array.from(copy.querySelectorAll('script, style, noscript, template, [hidden]'))) hidden.remove();
    for (const name of ['href', 'src']) {
      for (const linked of [copy, ...Array.from(copy.querySelectorAll(`[${name}]`))]) {
        const url = toUrl(linked.getAttribute(name) ?? '');
        if (linked.hasAttribute(name) && url !== null) linked.setAttribute(name, url);
      }
    }
    // A list item alone would lose its list's meaning, and a cell its table's: only their content is converted.
    return copy.matches('li, td, th, tr, tbody, thead, tfoot') ? copy.innerHTML : copy.outerHTML;
  }
}
