import type { Result } from '@platen/kernel';
import { openElement, openNode, type PageElement, pathOf, startAttempt } from '@platen/lib-actor';
import type { Actor } from '@platen/lib-actor';
import type { RefTable } from '@platen/lib-view';
import { addClosedRoot, findControl, forgetClosedRoots, readPlace, type Use } from './list-locators.js';
import type { Locator, Place, Target } from './script.js';

/** Milliseconds for all of an element: the navigation waits for it. */
const FIND_MS = 5_000;

export interface TargetRequest {
  readonly actor: Pick<Actor, 'page'>;
  readonly refs: RefTable;
  readonly use: Use;
  readonly signal: AbortSignal;
}

/**
 * The element of a ref with its locators, as the page is now.
 * @throws ActionError if the element is gone
 */
export async function findTarget(ref: string, { actor, refs, use, signal }: TargetRequest): Promise<Target> {
  const attempt = startAttempt(actor.page, { signal, timeoutMs: FIND_MS });
  const element = await openElement(ref, attempt, refs);
  const { frame, frames } = element;
  const control = (await element.find(findControl, use)) ?? element;
  const { facts, ...place } = await describePlace(control, use);
  const around: Place[] = [];
  const path = pathOf(frame, frames);
  for (const [index, parent] of path.slice(1).entries()) {
    const { backendNodeId } = await attempt.send(parent.session, 'DOM.getFrameOwner', { frameId: path[index]?.id ?? '' });
    const owner = await openNode({ ref, frame: parent, frames }, backendNodeId, attempt);
    const { facts: _, ...found } = await describePlace(owner, 'frame');
    around.unshift(found);
  }
  return { frames: around, place, facts };
}

async function describePlace(element: PageElement, use: Use) {
  const root = (await element.find(() => document.documentElement)) ?? element;
  const { node } = await root.frame.session.send('DOM.describeNode', { objectId: root.objectId, depth: -1, pierce: true });
  for (const id of closedRootsOf(node)) await element.compare(id, addClosedRoot);
  const { locators, ...found } = await element.call(readPlace, use);
  await element.call(forgetClosedRoots);
  if (use === 'frame') return { ...found, locators };
  return { ...found, locators: await addRole(locators, element, root) };
}

type DomNode = Result<'DOM.describeNode'>['node'];

/** Node ids of the closed shadow roots in the node's own document. */
function closedRootsOf({ shadowRoots = [], children = [] }: DomNode): readonly number[] {
  const own = shadowRoots.filter(({ shadowRootType }) => shadowRootType === 'closed').map(({ backendNodeId }) => backendNodeId);
  const inner = shadowRoots.filter(({ shadowRootType }) => shadowRootType !== 'user-agent');
  return [...own, ...[...inner, ...children].flatMap(closedRootsOf)];
}

/** Roles of the browser's own (`DateTime`) begin with a capital letter: other tools do not know them. */
const ARIA_ROLE = /^[a-z]+$/;
/** Without a meaning, or with another name in Playwright. */
const NO_ROLES: ReadonlySet<string> = new Set(['generic', 'image', 'none', 'presentation']);

/** Inserts role and name after test ids, and removes a label that names other elements in the accessibility tree. */
async function addRole(locators: readonly Locator[], element: PageElement, root: PageElement): Promise<readonly Locator[]> {
  const { session } = element.frame;
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId: element.objectId, fetchRelatives: false });
  // The protocol types values as any.
  const [role, name] = [nodes[0]?.role?.value, nodes[0]?.name?.value].map((value: unknown) => (typeof value === 'string' ? value : ''));
  const isOnly = async (text: string, ofRole?: string) => {
    const { nodes: found } = await session.send('Accessibility.queryAXTree', { objectId: root.objectId, accessibleName: text });
    const same = found.filter((one) => one.role?.value !== 'StaticText' && one.role?.value !== 'InlineTextBox');
    const all = ofRole === undefined ? same : same.filter((one) => one.role?.value === ofRole);
    return all.length === 1 && all[0]?.backendDOMNodeId === element.backendNodeId;
  };
  const testIds = locators.filter(({ by }) => by === 'testId');
  const rest: Locator[] = [];
  for (const one of locators) if (one.by !== 'testId' && (one.by !== 'label' || (await isOnly(one.text)))) rest.push(one);
  const hasRole = role !== undefined && name !== undefined && name !== '' && ARIA_ROLE.test(role) && !NO_ROLES.has(role);
  return [...testIds, ...(hasRole && (await isOnly(name, role)) ? [{ by: 'role', role, name } as const] : []), ...rest];
}
