import type { EncodeContext, RenderContext, AssetCollector, Output } from '@platen/kernel';
import { captureTree, type TreeCapture } from '@platen/lib-accessibility-tree';
import { treeCapture } from '@platen/plugin-accessibility/keys';
import { keepVisible } from './keep-visible.js';
import type { AxtreeParams } from './params.js';
import { writeJson } from './write-json.js';
import { writeText } from './write-text.js';

type Form = 'text' | 'json';

/** The tree as text or JSON, complete or without invisible nodes. */
export async function writeTree(
  capture: TreeCapture,
  { params }: Pick<EncodeContext<AxtreeParams>, 'params'>,
  form: Form,
): Promise<Output> {
  const root = params.axtree_only_visible === true ? keepVisible(capture.root) : capture.root;
  if (form === 'text') {
    return { contentType: 'text/plain; charset=utf-8', extension: 'txt', body: Buffer.from(await writeText({ ...capture, root })) };
  }
  return { contentType: 'application/json', extension: 'json', body: Buffer.from(await writeJson(root)) };
}

/** The tree as an additional output; a main output that is made of the tree shares its capture. */
export async function addTree(context: RenderContext<AxtreeParams>, assets: AssetCollector): Promise<void> {
  context.setWaitReason('the accessibility tree');
  const capture = context.get(treeCapture) ?? (await captureTree(context.page));
  const { extension, ...tree } = await writeTree(capture, context, context.params.with_axtree === 'text' ? 'text' : 'json');
  // Has its own name beside a main output that is JSON or text itself.
  await assets.add({ name: 'axtree', ...tree, extension: `axtree.${extension}` });
}
