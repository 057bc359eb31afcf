import { type Actor, closedRootsOf, openElement, openNode, type PageElement, pathOf, startAttempt } from '@platen/lib-actor';
import type { RefTable } from '@platen/lib-view';
import { addClosedRoot, findControl, readPlace, type Use } from './in-page/index.js';
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
  const target = await describePlace((await element.find(findControl, use)) ?? element, use);
  const frameElements: Place[] = [];
  const path = pathOf(frame, frames);
  for (const [index, parent] of path.slice(1).entries()) {
    const { backendNodeId } = await attempt.send(parent.session, 'DOM.getFrameOwner', { frameId: path[index]?.id ?? '' });
    frameElements.unshift(await describePlace(await openNode({ ref, frame: parent, frames }, backendNodeId, attempt), 'frame'));
  }
  return { ...target, frames: frameElements };
}

async function describePlace(element: PageElement, use: Use) {
  const root = (await element.find(() => document.documentElement)) ?? element;
  const { node } = await root.frame.session.send('DOM.describeNode', { objectId: root.objectId, depth: -1, pierce: true });
  for (const id of closedRootsOf(node)) await element.compare(id, addClosedRoot);
  const place = await element.call(readPlace, use);
  return use === 'frame' ? place : { ...place, locators: await addRole(place.locators, element, root) };
}

/** Roles of the browser's own (`DateTime`) begin with a capital letter: other tools do not know them. */
const ARIA_ROLE = /^[a-z]+$/;
/** Without a meaning, or with another name in Playwright. */
const NO_ROLES: ReadonlySet<string> = new Set(['generic', 'image', 'none', 'presentation']);

/** Inserts role and name before the label, and removes a label that names other elements in the accessibility tree. */
async function addRole(locators: readonly Locator[], element: PageElement, root: PageElement): Promise<readonly Locator[]> {
  const { session } = element.frame;
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId: element.objectId, fetchRelatives: false });
  // The protocol types values as any.
  const [role = '', name = ''] = [nodes[0]?.role?.value, nodes[0]?.name?.value].map((value: unknown) =>
    typeof value === 'string' ? value : '',
  );
  const isOnly = async (text: string, ofRole?: string) => {
    const { nodes: found } = await session.send('Accessibility.queryAXTree', { objectId: root.objectId, accessibleName: text });
    const elements = found.filter((one) => one.role?.value !== 'StaticText' && one.role?.value !== 'InlineTextBox');
    const [first, ...others] = elements.filter((one) => ofRole === undefined || one.role?.value === ofRole);
    return others.length === 0 && first?.backendDOMNodeId === element.backendNodeId;
  };
  const hasRole = name !== '' && ARIA_ROLE.test(role) && !NO_ROLES.has(role) && (await isOnly(name, role));
  const label = locators.find(({ by }) => by === 'label');
  const isLabel = label?.by === 'label' && (await isOnly(label.text));
  const isTestId = (one: Locator) => one.by === 'attribute' && one.name.startsWith('data-');
  return [
    ...locators.filter(isTestId),
    ...(hasRole ? [{ by: 'role', role, name } as const] : []),
    ...locators.filter((one) => !isTestId(one) && (one !== label || isLabel)),
  ];
}
