import {
  type AssetCollector,
  definePlugin,
  type EncodeContext,
  type EncodedOutput,
  type Fragments,
  type InferParams,
  type Rect,
  type RenderContext,
  withoutUserinfo,
} from '@platen/kernel';
import {
  ATTRIBUTES,
  captureTree,
  runYielding,
  shouldYield,
  type TreeCapture,
  type TreeNode,
  type TreeState,
} from '@platen/lib-accessibility-tree';
import { type Redaction, redactionKey } from '@platen/lib-redaction';
import { treeCapture } from '@platen/plugin-accessibility/keys';

const AXTREE_PARAMS = {
  axtree_only_visible: {
    type: 'boolean',
    description:
      'Limit the accessibility tree, as output and as additional asset, to visible nodes: without hidden, transparent, clipped or completely covered nodes. Content that can be scrolled into view counts as visible.',
    default: false,
  },
  with_axtree: {
    type: ['string', 'boolean'],
    enum: ['json', 'true', 'text', 'false', true, false],
    description:
      'Return the accessibility tree as an additional asset. "json", or "true": a JSON tree with bounding boxes and all details. "text": an indented outline. "false": none.',
    'x-expects': 'one of: json, true, text, false',
    examples: ['json', 'text'],
  },
} as const satisfies Fragments;

export type AxtreeParams = InferParams<typeof AXTREE_PARAMS>;

/** The forms of the tree, which are an output type each. */
const FORMS = {
  text: { contentType: 'text/plain; charset=utf-8', extension: 'txt' },
  json: { contentType: 'application/json', extension: 'json' },
} as const;

export default definePlugin({
  name: 'axtree',
  requires: ['accessibility'],
  outputs: [
    { type: 'axtree', from: 'accessibility', ...FORMS.text, endings: ['axtree.txt'] },
    { type: 'axtree_json', from: 'accessibility', ...FORMS.json, endings: ['axtree.json'] },
  ],
  assets: [{ key: 'with_axtree', name: 'axtree' }],
  params: AXTREE_PARAMS,
  apply({ hooks }) {
    hooks.encode.for('axtree').tapPromise('axtree', (capture, context) => writeTree(capture, context, 'text'));
    hooks.encode.for('axtree_json').tapPromise('axtree', (capture, context) => writeTree(capture, context, 'json'));
    hooks.additionalAssets.tapPromise({ name: 'axtree', for: { asset: 'with_axtree' } }, addTree);
  },
});

/** CSS pixels are rounded to hundredths. */
const PRECISION = 100;

/** Nodes that are written in one chunk. */
const FEW = 5_000;

type Form = keyof typeof FORMS;

type Written = Pick<TreeCapture, 'title' | 'url' | 'root'>;

/** The tree as text or JSON, complete or without invisible nodes. */
export async function writeTree(
  capture: TreeCapture,
  { params, get }: Pick<EncodeContext<AxtreeParams>, 'params' | 'get'>,
  form: Form,
): Promise<EncodedOutput> {
  const redaction = get(redactionKey);
  const { title, url, root: whole } = redaction === undefined ? capture : redactCapture(capture, redaction);
  const root = params.axtree_only_visible === true ? keepVisible(whole) : whole;
  return { body: Buffer.from(form === 'text' ? await writeText({ title, url, root }) : await writeJson(root)) };
}

/** The tree as an additional output; a main output that is made of the tree shares its capture. */
async function addTree(context: RenderContext<AxtreeParams>, assets: AssetCollector): Promise<void> {
  context.setWaitReason('the accessibility tree');
  const capture = context.get(treeCapture) ?? (await captureTree(context.page));
  const form = context.params.with_axtree === 'text' ? 'text' : 'json';
  const { body } = await writeTree(capture, context, form);
  const { contentType, extension } = FORMS[form];
  // Has its own name beside a main output that is JSON or text itself.
  await assets.add({ name: 'axtree', contentType, extension: `axtree.${extension}`, body });
}

/** Without secrets that were filled in, and that the page shows. */
function redactCapture({ title, url, root }: Written, redaction: Redaction): Written {
  const { text, value: redact } = redaction;
  const redactNode = ({ children, value, ...facts }: TreeNode): TreeNode => {
    const shown = value === undefined ? undefined : text(String(value));
    return {
      ...redact(facts),
      // A number stays one, unless it is a secret.
      ...(value === undefined || shown === undefined ? {} : { value: shown === String(value) ? value : shown }),
      children: children.map(redactNode),
    };
  };
  return { title: text(title), url: text(url), root: redactNode(root) };
}

/** Filters to visible nodes and the ancestors of visible nodes. The refs are those of the whole tree. */
function keepVisible(node: TreeNode): TreeNode {
  return { ...node, children: node.children.filter(({ visible }) => visible).map(keepVisible) };
}

/**
 * The tree as an indented outline: `Page:` and `URL:`, a blank line, then one line per node. The document itself has no line. See the
 * package's README for the grammar.
 */
async function writeText({ title, url, root }: Written): Promise<string> {
  const lines = [`Page: ${oneLine(title)}`, `URL: ${oneLine(withoutUserinfo(url))}`, ''];
  function* write({ children }: TreeNode, indent: string): Generator<void, void> {
    for (const child of children) {
      if (shouldYield()) yield;
      lines.push(`${indent}${lineOf(child)}`);
      if (child.children.length > 0) yield* write(child, `${indent}  `);
    }
  }
  await runYielding(write(root, ''));
  return `${lines.join('\n')}\n`;
}

function lineOf({ ref, role, name, attrs, state, cursor }: TreeNode): string {
  const parts = [`@${ref}`, `[${role}]`];
  if (oneLine(name) !== '') parts.push(quote(name));
  for (const attribute of ATTRIBUTES) {
    const value = attrs[attribute];
    if (value !== undefined) parts.push(`${attribute}=${quote(attribute === 'href' ? withoutUserinfo(value) : value)}`);
  }
  for (const mark of [...statesOf(role, state), ...(isWritten(cursor) ? [cursor] : [])]) parts.push(`[${mark}]`);
  return parts.join(' ');
}

/** Where something could be dropped is a guess, for navigators. */
function isWritten<T>(cursor: T): cursor is Exclude<T, 'drag' | undefined> {
  return cursor !== undefined && cursor !== 'drag';
}

/** A list item's level is its nesting depth, which the indentation already shows. */
function statesOf(role: string, { level, checked, expanded, selected, disabled, required }: TreeState): readonly string[] {
  return [
    ...(level === undefined || role === 'listitem' ? [] : [`level=${String(level)}`]),
    ...(checked === undefined || checked === false ? [] : [checked === 'mixed' ? 'checked=mixed' : 'checked']),
    ...(expanded === undefined ? [] : [expanded ? 'expanded' : 'expanded=false']),
    ...(selected === true ? ['selected'] : []),
    ...(disabled === true ? ['disabled'] : []),
    ...(required === true ? ['required'] : []),
  ];
}

function quote(text: string): string {
  return `"${oneLine(text).replace(/["\\]/g, '\\$&')}"`;
}

/** Each run of white space and control characters becomes one space. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The tree as JSON, without empty members. */
async function writeJson(root: TreeNode): Promise<string> {
  const parts: string[] = [];
  await runYielding(write(root, parts));
  return parts.join('');
}

/** In chunks, because a large tree takes long. A node's children are its last member. */
function* write(node: TreeNode, parts: string[]): Generator<void, void> {
  if (shouldYield()) yield;
  const { children } = node;
  if (children.length === 0 || countUpTo(FEW, node) < FEW) {
    parts.push(JSON.stringify(toJson(node)));
    return;
  }
  parts.push(JSON.stringify(toJson({ ...node, children: [] })).slice(0, -1), ',"children":');
  for (const [at, child] of children.entries()) {
    parts.push(at === 0 ? '[' : ',');
    yield* write(child, parts);
  }
  parts.push(']}');
}

/** The number of nodes in it, counted up to the limit. */
function countUpTo(bound: number, { children }: TreeNode): number {
  let count = 1;
  for (const child of children) {
    if (count >= bound) break;
    count += countUpTo(bound - count, child);
  }
  return count;
}

/** Member by member: a page has thousands of nodes, and copies with omitted members cost several times as much. */
function toJson({ ref, role, name, description, value, url, state, attrs, cursor, backendDOMNodeId, bounds, children }: TreeNode): object {
  const members: Record<string, unknown> = { ref, role };
  if (name !== '') members['name'] = name;
  if (description !== undefined) members['description'] = description;
  if (value !== undefined) members['value'] = value;
  if (url !== undefined) members['url'] = withoutUserinfo(url);
  if (!isEmpty(state)) members['state'] = state;
  if (!isEmpty(attrs)) members['attrs'] = attrs.href === undefined ? attrs : { ...attrs, href: withoutUserinfo(attrs.href) };
  if (isWritten(cursor)) members['cursor'] = cursor;
  if (backendDOMNodeId !== undefined) members['backendDOMNodeId'] = backendDOMNodeId;
  if (bounds !== null) members['bounds'] = rounded(bounds);
  if (children.length > 0) members['children'] = children.map(toJson);
  return members;
}

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}

function rounded({ x, y, width, height }: Rect): Rect {
  const round = (length: number): number => Math.round(length * PRECISION) / PRECISION;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
