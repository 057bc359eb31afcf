import { userinfoOf } from '@platen/lib-page-functions';

/** Attributes whose values are URLs, the more specific first. */
export const URL_ATTRIBUTES: readonly string[] = ['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data'];

export function textOf(element: Element): string {
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  return text.trim();
}

/** Absolute, without the credentials of the document's own URL; null if it is not a URL. */
export function toUrl(text: string): string | null {
  const base = document.baseURI;
  try {
    return new URL(text.trim(), base).href.replace(userinfoOf(base), '//');
  } catch {
    return null;
  }
}
