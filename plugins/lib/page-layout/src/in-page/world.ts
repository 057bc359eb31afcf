interface World {
  /** The document's time when the element was found: animations that began since are reactions to the scrolling. */
  platenFrom?: number;
  /** The element's position in the document when it was scrolled to. */
  platenSeen?: DOMRect | undefined;
  /** The scroll positions of the element's scroll containers before that. */
  platenScrolls?: ReadonlyMap<Element, DOMPoint> | undefined;
  /** The positions of fixed and sticky boxes before the page was scrolled; the document's own is its scroll position. */
  platenPlaces?: Map<Node, DOMPoint>;
  /** Declarations by element, to be adopted as style sheets. */
  platenRules?: ReadonlyMap<Element, string>;
  /** Functions that remove adopted style sheets. */
  platenSheets?: readonly (() => void)[];
  platenDeferred?: readonly (() => void)[];
  /** Scroll containers that were made as high as their content. */
  platenExpanded?: readonly Element[];
  /** Animations that are waited for. */
  platenDue?: readonly DueAnimation[];
  /** How often each animation has ended during one wait. */
  platenEnds?: WeakMap<Element, Map<string, number>>;
  /** Animations that restart whenever they end. */
  platenRestless?: WeakMap<Element, Set<string>>;
}

export interface DueAnimation {
  readonly animation: Animation;
  readonly target: Element;
  /** The part of the element that it animates. */
  readonly name: string;
}

/** State between the calls of these functions. No other script writes in our isolated world. */
export const world = globalThis as World;
