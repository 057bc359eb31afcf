/** An element of a page: a node id is unique in its target, a target has one document of each frame. */
export interface ElementKey {
  /** One of `page.targets.all`. */
  readonly targetId: string;
  readonly frameId: string;
  readonly backendDOMNodeId: number;
}

/** The refs of a page's elements. It outlives a snapshot: an element keeps its ref, and a ref never names another element. */
export interface RefTable {
  /** `e1`, `e2` ... in the order in which elements are first seen. */
  refOf(element: ElementKey): string;
  /** The element that the ref was given to, whether or not it still exists. */
  find(ref: string): ElementKey | undefined;
}

export function createRefTable(): RefTable {
  const refs = new Map<string, string>();
  const elements = new Map<string, ElementKey>();
  return {
    refOf({ targetId, frameId, backendDOMNodeId }) {
      const key = `${targetId} ${frameId} ${String(backendDOMNodeId)}`;
      const known = refs.get(key);
      if (known !== undefined) return known;
      const ref = `e${String(refs.size + 1)}`;
      refs.set(key, ref);
      elements.set(ref, { targetId, frameId, backendDOMNodeId });
      return ref;
    },
    find: (ref) => elements.get(ref),
  };
}
