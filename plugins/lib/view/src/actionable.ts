import { addSourceUrl, openIsolatedFrameWorld, type Page } from '@platen/kernel';
import { captureTree, isInteractive, runYielding, shouldYield, type TreeCapture, type TreeNode } from '@platen/lib-accessibility-tree';
import type { ElementKey, KnownElement, RefTable } from './ref-table.js';

/** Milliseconds for a response of the element's frame, which may hang. */
const FRAME_MS = 2_000;

/**
 * The element of a ref. If it is no longer part of the page, the page may have rendered it anew: then the ref is given to the only visible
 * element of the same role and name that a user can interact with. Undefined if there is none, or several. Rejects if the page itself does
 * not respond.
 */
export async function findAgain(page: Page, refs: RefTable, ref: string): Promise<KnownElement | undefined> {
  const known = refs.find(ref);
  if (known === undefined || (await isConnected(page, known))) return known;
  const { role, name } = known;
  const [found, ...others] = (await listActionable(await captureTree(page))).filter((one) => one.role === role && one.name === name);
  if (found === undefined || others.length > 0) return undefined;
  refs.replace(ref, found);
  return found;
}

/** Whether the element is in the current document of its frame. In an isolated world: the page's scripts have no say in it. */
async function isConnected(page: Page, { targetId, frameId, backendDOMNodeId }: ElementKey): Promise<boolean> {
  const session = page.targets.all.find((target) => target.targetId === targetId);
  if (session === undefined) return false;
  const limit = { timeoutMs: FRAME_MS };
  try {
    const { contextId } = await openIsolatedFrameWorld(session, frameId, limit);
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId, executionContextId: contextId }, limit);
    const { result } = await session.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: addSourceUrl(isInDocument.toString()),
        executionContextId: contextId,
        arguments: [object.objectId === undefined ? {} : { objectId: object.objectId }],
        returnByValue: true,
      },
      limit,
    );
    if (object.objectId !== undefined)
      void session.send('Runtime.releaseObject', { objectId: object.objectId }, limit).catch(() => undefined);
    return result.value === true;
  } catch {
    // The frame or the node is gone.
    return false;
  }
}

/** Runs in the page; must not capture outer variables. A document that was left may live on in the browser's cache. */
function isInDocument(node: Node): boolean {
  return node.isConnected && node.ownerDocument === document;
}

/** CSS pixels of a side in which nothing can be recognized. */
const SLIVER = 2;

/** A user can interact with the element. */
export function isActionable({ role, cursor }: TreeNode): boolean {
  return isInteractive(role) || cursor !== undefined;
}

/** The options of a closed list are part of its own line. Images and controls of a pixel or two are there for programs. */
export function isOmitted(node: TreeNode): boolean {
  const { visible, role, bounds, children } = node;
  if (!visible || role === 'ListMarker' || (role === 'option' && bounds === null)) return true;
  // A code editor gets its input by a field of a pixel.
  const isEditor = role === 'textbox' && node.state.multiline === true;
  if (bounds === null || children.length > 0 || isEditor || !(role === 'image' || isActionable(node))) return false;
  const side = Math.min(bounds.width, bounds.height);
  // A box without an area is visible by its content.
  return side > 0 && side <= SLIVER;
}

/** The node as a user sees it: a label stands for its hidden check box. */
export function asSeen(node: TreeNode): TreeNode {
  return node.control === undefined ? node : { ...node, ...node.control };
}

/** The node's name without text that a user cannot see. */
export function nameOf({ name, shownName = name }: TreeNode): string {
  return shownName;
}

/** Finds the element of a node of the tree that a user can interact with; undefined if they cannot. */
export function createElementReader({ frames }: TreeCapture): (node: TreeNode) => KnownElement | undefined {
  const targets = new Map(frames.map(({ frameId, targetId }) => [frameId, targetId]));
  return (node) => {
    const { frameId, backendDOMNodeId } = node;
    const { role } = asSeen(node);
    const targetId = targets.get(frameId);
    if (!isActionable(node) || backendDOMNodeId === undefined || targetId === undefined) return undefined;
    return { targetId, frameId, backendDOMNodeId, role, name: nameOf(node) };
  };
}

/** The visible elements of a page that a user can interact with, in document order. */
function listActionable(tree: TreeCapture): Promise<readonly KnownElement[]> {
  const elementOf = createElementReader(tree);
  const found: KnownElement[] = [];
  function* visit(node: TreeNode): Generator<void, void> {
    if (shouldYield()) yield;
    if (isOmitted(node)) return;
    const element = elementOf(node);
    if (element !== undefined) found.push(element);
    for (const child of node.children) yield* visit(child);
  }
  return runYielding(visit(tree.root)).then(() => found);
}
