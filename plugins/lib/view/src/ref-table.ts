/** A node id is unique in its target, and a target has one document of each frame. */
export interface ElementKey {
  /** One of `page.targets.all`. */
  readonly targetId: string;
  readonly frameId: string;
  readonly backendDOMNodeId: number;
}

/** The text of an element that a model reads. */
export interface ElementLabel {
  /** In the browser's accessibility tree. */
  readonly role: string;
  readonly name: string;
}

/** An element as it was last seen. */
export interface KnownElement extends ElementKey, ElementLabel {}

/** The refs of a page's elements. It outlives a snapshot: an element keeps its ref, and a ref never names another element by itself. */
export interface RefTable {
  /** `e1`, `e2` ... in the order in which elements are first seen. Remembers the role and name. */
  refOf(element: ElementKey, label: ElementLabel): string;
  /** The element of the ref, whether or not it still exists. */
  find(ref: string): KnownElement | undefined;
  /** The page has rendered the element anew: the ref now names the new one. */
  replace(ref: string, element: KnownElement): void;
}

export function createRefTable(): RefTable {
  const refs = new Map<string, string>();
  const elements = new Map<string, KnownElement>();
  return {
    refOf({ targetId, frameId, backendDOMNodeId }, { role, name }) {
      const key = toKey({ targetId, frameId, backendDOMNodeId });
      const ref = refs.get(key) ?? `e${String(elements.size + 1)}`;
      refs.set(key, ref);
      elements.set(ref, { targetId, frameId, backendDOMNodeId, role, name });
      return ref;
    },
    find: (ref) => elements.get(ref),
    replace(ref, element) {
      const before = elements.get(ref);
      if (before !== undefined && refs.get(toKey(before)) === ref) refs.delete(toKey(before));
      elements.set(ref, element);
      // A snapshot may have given the new element a ref that a model has read.
      if (!refs.has(toKey(element))) refs.set(toKey(element), ref);
    },
  };
}

function toKey({ targetId, frameId, backendDOMNodeId }: ElementKey): string {
  return `${targetId} ${frameId} ${String(backendDOMNodeId)}`;
}
