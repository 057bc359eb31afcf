import type { Rect } from '@platen/kernel';

/**
 * How a user can interact with something that the browser's own tree omits or reports as a plain container. `drag`: it can be dragged, or
 * something else onto it. Not part of the outputs.
 */
export type Cursor = 'clickable' | 'editable' | 'focusable' | 'drag';

type Tristate = boolean | 'mixed';

/**
 * State that the node has itself or inherits, unless it is inherited by everything. Members that default to false are present only when
 * true. `checked`, `expanded`, `pressed` and `selected` are false where they could be true.
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
  /** True, or the kind of error: `grammar`, `spelling`. */
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

/** Attributes of the element as the document spells them, in this order; a `data:` URL without its data. */
export const ATTRIBUTES = ['type', 'name', 'placeholder', 'href', 'alt', 'title'] as const;

export type TreeAttributes = Readonly<Partial<Record<(typeof ATTRIBUTES)[number], string>>>;

export interface TreeNode {
  /** `e0` for the document, then `e1`, `e2` ... in tree order. Valid for one capture. */
  readonly ref: string;
  /** The role name in the browser's accessibility tree: `button`, `StaticText`, `Iframe` ... */
  readonly role: string;
  /** Empty if there is none. */
  readonly name: string;
  /** The name without the texts in it that a user cannot see, if they differ. A control that shows only images keeps its name. */
  readonly shownName?: string;
  readonly description?: string;
  readonly value?: string | number;
  /** Absolute URL of links, images and documents; a `data:` URL without its data. */
  readonly url?: string;
  readonly state: TreeState;
  readonly attrs: TreeAttributes;
  readonly cursor?: Cursor;
  /** Of a label whose check box or radio button is hidden: the role and state of that. Not part of the outputs. */
  readonly control?: Pick<TreeNode, 'role' | 'state'>;
  /** The protocol's stable id of the DOM node, in the session of its frame; generated content has none. */
  readonly backendDOMNodeId?: number;
  readonly frameId: string;
  /** CSS pixels of the main document, including scrolling; null if the node has no box. */
  readonly bounds: Rect | null;
  /** Whether a user can see part of it at any scroll position. */
  readonly visible: boolean;
  readonly children: readonly TreeNode[];
}

/** A captured frame, and the target whose session its `backendDOMNodeId`s belong to. */
export interface TreeFrame {
  readonly frameId: string;
  /** One of `page.targets.all`. */
  readonly targetId: string;
  readonly url: string;
}

/** A snapshot of a page with all its frames. */
export interface TreeCapture {
  readonly title: string;
  readonly url: string;
  readonly root: TreeNode;
  readonly frames: readonly TreeFrame[];
}
