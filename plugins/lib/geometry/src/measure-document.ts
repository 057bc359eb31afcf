/** What there is of a document, in CSS pixels. */
export interface Extent {
  /** How high the viewport must be for the whole page to be seen. */
  readonly height: number;
  /** It is not the document that scrolls but an element in it. */
  readonly inner: boolean;
  /** The factor by which the page is zoomed in its viewport. */
  readonly scale: number;
}

/** Runs in the page: closes over nothing. */
export function measureDocument(): Extent {
  const { documentElement, scrollingElement, body } = document;
  const height = Math.max(documentElement.scrollHeight, scrollingElement?.scrollHeight ?? 0);
  const scale = window.visualViewport?.scale ?? 1;
  if (height > innerHeight + 1) return { height, inner: false, scale };

  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  // What the body hides is hidden of the window, as behind a dialog.
  const scrolls = (element: Element) =>
    ['auto', 'scroll', ...(element === body ? ['hidden'] : [])].includes(getComputedStyle(element).overflowY);
  const hidden = all(document)
    .filter((element) => element.scrollHeight > element.clientHeight + 1)
    .filter((element) => element.clientHeight >= innerHeight / 2 && element.clientWidth >= innerWidth / 2)
    .filter(scrolls)
    .map((element) => element.scrollHeight - element.clientHeight);
  const most = Math.max(0, ...hidden);
  return { height: height + most, inner: most > 0, scale };
}
