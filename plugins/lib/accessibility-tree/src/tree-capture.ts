import type { Rect } from '@platen/kernel';

/** How a person can use something that the browser's own tree omits, or takes for a mere container. */
export type Cursor = 'clickable' | 'editable' | 'focusable';

type Tristate = boolean | 'mixed';

/**
 * What the node is in, as far as it is not what everything is in: members that are false by default are there when true only.
 * `checked`, `expanded`, `pressed` and `selected` are false where they could be true.
 */
export interface TreeState {
  readonly level?: number;
  readonly checked?: Tristate;
  readonly expanded?: boolean;
  readonly selected?: boolean;
  readonly disabled?: true;
  readonly required?: true;
  readonly pressed?: Tristate;
  readonly readonly?: true;
  /** True, or the kind of fault: `grammar`, `spelling`. */
  readonly invalid?: true | string;
  readonly focused?: true;
  readonly multiline?: true;
  readonly multiselectable?: true;
  readonly modal?: true;
  /** `polite` or `assertive`. */
  readonly live?: string;
  readonly atomic?: true;
  readonly busy?: true;
  readonly valuemin?: number;
  readonly valuemax?: number;
  readonly valuetext?: string;
  /** `menu`, `listbox`, `dialog` ... */
  readonly hasPopup?: string;
  readonly autocomplete?: string;
  readonly orientation?: string;
  readonly roledescription?: string;
  readonly keyshortcuts?: string;
}

/** Attributes of the element as they are written in the document, in this order; a `data:` URL without its data. */
export const ATTRIBUTES = ['type', 'name', 'placeholder', 'href', 'alt', 'title'] as const;

export type TreeAttributes = Readonly<Partial<Record<(typeof ATTRIBUTES)[number], string>>>;

export interface TreeNode {
  /** `e0` for the document, then `e1`, `e2` ... in the order of the tree. Holds for one capture. */
  readonly ref: string;
  /** As the browser's accessibility tree names it: `button`, `StaticText`, `Iframe` ... */
  readonly role: string;
  /** Empty where there is none. */
  readonly name: string;
  readonly description?: string;
  readonly value?: string | number;
  /** Absolute, of links, pictures and documents; a `data:` URL without its data. */
  readonly url?: string;
  readonly state: TreeState;
  readonly attrs: TreeAttributes;
  readonly cursor?: Cursor;
  /** The protocol's lasting id of the DOM node, in the session of its frame; generated content has none. */
  readonly backendDOMNodeId?: number;
  readonly frameId: string;
  /** CSS pixels of the main document, scrolling added; null for what has no box. */
  readonly bounds: Rect | null;
  /** Whether a person can see some of it, wherever the page is scrolled to. */
  readonly visible: boolean;
  readonly children: readonly TreeNode[];
}

/** A frame that was read, and the target in whose session its `backendDOMNodeId`s hold. */
export interface TreeFrame {
  readonly frameId: string;
  /** Of `page.targets.all`. */
  readonly targetId: string;
  readonly url: string;
}

/** One moment of a page with all its frames. */
export interface TreeCapture {
  readonly title: string;
  readonly url: string;
  readonly root: TreeNode;
  readonly frames: readonly TreeFrame[];
}
