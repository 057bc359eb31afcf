import { FlatTree, nextFrame } from '@platen/lib-page-functions';

/** Whose a point is: the element's, that of something else to be used within the element, or another element's. */
export type Hit = 'own' | 'nested' | 'other';

/** Whether a click on the node is a click on the element. */
export function classifyClick(element: Element, node: Node): Hit {
  const tree = new FlatTree();
  const path = [node, ...tree.ancestors(node)];
  // Content of a slot in a closed shadow tree does not know the slot.
  const slotted = Array.from(element.querySelectorAll('slot'), (slot) => slot.assignedNodes({ flatten: true })).flat();
  const own = path.findIndex((one) => one === element || slotted.includes(one));
  const used = 'a[href], button, input, select, textarea, summary, [role=button], [role=link]';
  if (own >= 0) return path.slice(0, own).some((one) => one instanceof Element && one.matches(used)) ? 'nested' : 'own';
  const label = path.find((one) => one instanceof HTMLLabelElement);
  return label instanceof HTMLLabelElement && label.control === element ? 'own' : 'other';
}

export function readState(element: Element): 'gone' | 'disabled' | 'usable' {
  if (!element.isConnected || element.ownerDocument !== document) return 'gone';
  return element.matches(':disabled') || element.closest('[aria-disabled=true]') !== null ? 'disabled' : 'usable';
}

export function scrollTo(element: Element, block: 'center' | 'end' | 'start'): void {
  element.scrollIntoView({ block, inline: 'center', behavior: 'instant' });
}

/** Whether the element stays where it is for two frames, within a second. */
export async function isStill(element: Element): Promise<boolean> {
  const until = performance.now() + 1_000;
  const read = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].map((side) => Math.round(side * 2)).join();
  };
  let last = read();
  for (let same = 0; same < 2;) {
    if (performance.now() > until) return false;
    await nextFrame();
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return true;
}
