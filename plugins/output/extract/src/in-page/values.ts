/** Attributes whose values are URLs, the more specific first. */
export const URL_ATTRIBUTES: readonly string[] = ['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data'];

export function textOf(element: Element): string {
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  return text.trim();
}

/** Absolute; null if it is not a URL. */
export function toUrl(text: string): string | null {
  try {
    return new URL(text.trim(), document.baseURI).href;
  } catch {
    return null;
  }
}
