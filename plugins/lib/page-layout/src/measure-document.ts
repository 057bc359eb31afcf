/** What there is of a document, in CSS pixels. */
export interface Extent {
  /** How high the viewport must be for the whole page to be seen. */
  readonly height: number;
  /** What of that height is hidden in a box that scrolls: 0 where the document itself does. */
  readonly hidden: number;
  /** How wide the viewport must be, for a document that is written from top to bottom and goes on sideways, which is no higher than it. Null: of all others. */
  readonly width: number | null;
  /** The factor by which the page is zoomed in its viewport. */
  readonly scale: number;
  /** The document is as high as the viewport, or higher. */
  readonly filled: boolean;
  /** Something waits out of sight to be laid out (`content-visibility: auto`), and is as high as the page guesses until then. */
  readonly deferred: boolean;
  /** A transition or animation is in progress that ends by itself. */
  readonly animated: boolean;
  /** Something is animated by its place in the viewport, and not at the end of that. */
  readonly placed: boolean;
}

/** Runs in the page; must not capture outer variables. `view`: the height of the viewport of which a box that counts fills half; null: as it is. */
export function measureDocument(view: number | null): Extent {
  const { documentElement, scrollingElement, body } = document;
  const elementsIn = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [
      element,
      ...(element.shadowRoot === null ? [] : elementsIn(element.shadowRoot)),
    ]);
  const all = elementsIn(document);
  const shadows = all.map(({ shadowRoot }) => shadowRoot).filter((root) => root !== null);
  const animations = [document, ...shadows].flatMap((root) => root.getAnimations());
  const ends = ({ effect, timeline, playState }: Animation): boolean =>
    playState === 'running' && timeline instanceof DocumentTimeline && Number.isFinite(Number(effect?.getComputedTiming().endTime));
  const goesOn = ({ effect, timeline }: Animation): boolean =>
    timeline !== null && Reflect.get(timeline, 'subject') instanceof Element && (effect?.getComputedTiming().progress ?? 1) < 1;

  const height = Math.max(documentElement.scrollHeight, scrollingElement?.scrollHeight ?? 0);
  const extent = {
    height,
    hidden: 0,
    width: null,
    scale: window.visualViewport?.scale ?? 1,
    filled: documentElement.getBoundingClientRect().bottom + scrollY >= innerHeight - 1,
    deferred: all.some((element) => getComputedStyle(element).contentVisibility === 'auto'),
    animated: animations.some(ends),
    placed: animations.some(goesOn),
  };
  // That of the body is the viewport's.
  const { writingMode } = getComputedStyle(body instanceof HTMLBodyElement ? body : documentElement);
  const width = Math.max(documentElement.scrollWidth, scrollingElement?.scrollWidth ?? 0);
  const sideways = !writingMode.startsWith('horizontal') && width - innerWidth > Math.max(1, height - innerHeight);
  if (sideways) return { ...extent, height: innerHeight, width };
  if (height > innerHeight + 1) return extent;

  // What the body hides is hidden of the window, as behind a dialog.
  const scrolls = (element: Element) =>
    ['auto', 'scroll', ...(element === body ? ['hidden'] : [])].includes(getComputedStyle(element).overflowY);
  const hidden = all
    .filter((element) => element.scrollHeight > element.clientHeight + 1)
    .filter((element) => element.clientHeight >= (view ?? innerHeight) / 2 && element.clientWidth >= innerWidth / 2)
    .filter(scrolls)
    .map((element) => element.scrollHeight - element.clientHeight);
  const most = Math.max(0, ...hidden);
  return { ...extent, height: height + most, hidden: most };
}
