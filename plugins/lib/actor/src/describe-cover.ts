import type { ProtocolSession, Result } from '@platen/kernel';

type AxNode = Result<'Accessibility.getPartialAXTree'>['nodes'][number];

/** Characters of a name in a message. */
const MAX_NAME = 80;
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);
const SILENT: ReadonlySet<string> = new Set(['', 'none', 'generic', 'StaticText', 'InlineTextBox', 'RootWebArea']);

/** A node for a message: the dialog that it is in, else the next named element around it, else its tag. */
export async function describeCover(session: Pick<ProtocolSession, 'send'>, backendNodeId: number): Promise<string> {
  const described = session.send('DOM.describeNode', { backendNodeId });
  const tree = session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: true });
  const [node, nodes] = await Promise.all([
    described.then(
      (answer) => answer.node,
      () => undefined,
    ),
    tree.then(
      (answer) => answer.nodes,
      () => [],
    ),
  ]);
  const path = pathOf(
    nodes.find((one) => one.backendDOMNodeId === backendNodeId),
    nodes,
  );
  const cover = path.find((one) => DIALOGS.has(roleOf(one))) ?? path.find((one) => !SILENT.has(roleOf(one)) && nameOf(one) !== '');
  if (cover === undefined) return `another element (${node?.localName === undefined || node.localName === '' ? 'text' : node.localName})`;
  const name = nameOf(cover);
  return name === '' ? roleOf(cover) : `${roleOf(cover)} "${name}"`;
}

function pathOf(node: AxNode | undefined, nodes: readonly AxNode[]): readonly AxNode[] {
  if (node === undefined) return [];
  return [
    node,
    ...pathOf(
      nodes.find(({ nodeId }) => nodeId === node.parentId),
      nodes,
    ),
  ];
}

function roleOf({ role }: AxNode): string {
  const value: unknown = role?.value;
  return typeof value === 'string' ? value : '';
}

function nameOf({ name }: AxNode): string {
  const value: unknown = name?.value;
  return typeof value === 'string' ? quotable(value) : '';
}

/** A text of the page, cut for a message. */
export function quotable(text: string): string {
  const line = text.replace(/[\s\p{Cc}"]+/gu, ' ').trim();
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME)}…` : line;
}
