import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { captureTree, type TreeNode } from '@platen/lib-accessibility-tree';
import accessibility from '@platen/plugin-accessibility';
import dom from '../../../plugins/capture/dom/src/index.js';
import emulate from '../../../plugins/page/emulate/src/index.js';
import target from '../../../plugins/page/target/src/index.js';
import type { Fragment } from './fragment-table.js';

export type Reading = Pick<Fragment, 'reader' | 'tree' | 'hidden'>;

export interface Engines extends AsyncDisposable {
  /** Reads fragments with both engines in one render: a single one in the main window, several in frames of one page. */
  read(fragments: readonly string[], params?: Readonly<Record<string, unknown>>): Promise<readonly Reading[]>;
}

/** Boxes are where their styles say. */
const HEAD = '<!doctype html><style>body{margin:0} p,div{margin:0}</style>';
const FRAME = 'display:block;border:0;width:1280px;height:720px';
/** Before each frame, in the text of all. */
const MARK = 'next fragment';

/** A kernel whose output is the content of the page as the reader captures it, and that captures the tree before. */
export function openEngines(): Engines {
  let root: TreeNode | undefined;
  const probe = definePlugin({
    name: 'probe',
    requires: ['dom', 'accessibility'],
    outputs: [{ type: 'probe', from: 'content', contentType: 'text/html', extension: 'html' }],
    apply({ hooks }) {
      hooks.beforeCapture.tapPromise('probe', async ({ page }) => {
        ({ root } = await captureTree(page));
      });
      hooks.encode.for('probe').tapPromise('probe', ({ html }) => {
        return Promise.resolve({ contentType: 'text/html', extension: 'html', body: Buffer.from(html) });
      });
    },
  });
  const host = createTestKernel({ plugins: [target, emulate, accessibility, dom, probe] });
  return {
    async read(fragments, params = {}) {
      const [first = ''] = fragments;
      const isSingle = fragments.length === 1;
      const page = isSingle ? HEAD + first : `<!doctype html>${fragments.map(frameOf).join('')}`;
      const result = await host.render({
        ...params,
        url: `data:text/html;charset=utf-8,${encodeURIComponent(page)}`,
        output_type: 'probe',
      });
      const html = (await result.bytes()).toString();
      if (root === undefined) throw new Error('the tree was not captured');
      const roots = isSingle ? [root] : root.children.filter(({ role }) => role === 'Iframe');
      const texts = isSingle ? [html] : html.split(MARK).slice(1);
      if (roots.length !== fragments.length || texts.length !== fragments.length) throw new Error(`fragments are missing: ${html}`);
      return fragments.map((_, at) => ({ reader: textOf(texts[at] ?? ''), ...namesOf(roots[at]?.children ?? []) }));
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

function frameOf(fragment: string): string {
  return `<p>${MARK}</p><iframe style="${FRAME}" srcdoc="${(HEAD + fragment).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
}

/** Leaves elements without content visible, except for the boxes around them. */
function textOf(html: string): string {
  const named = html
    .replaceAll(/<img[^>]*\balt="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<input[^>]*\bchecked[^>]*>/g, ' [x] ')
    .replaceAll(/<(img|input)\b[^>]*>/g, ' [$1] ')
    .replaceAll(/<((?!div|li|t[dr]|col)\w+)[^>]*>\s*<\/\1>/g, ' [$1] ');
  return join([named.replaceAll(/<[^>]*>/g, ' ')]);
}

function namesOf(nodes: readonly TreeNode[]): Pick<Reading, 'tree' | 'hidden'> {
  const named = nodes.flatMap(flatten).filter(({ role }) => role !== 'Iframe');
  return {
    tree: join(named.filter(({ visible }) => visible).map(({ name }) => name)),
    hidden: join(named.filter(({ visible }) => !visible).map(({ name }) => name)),
  };
}

function flatten(node: TreeNode): readonly TreeNode[] {
  return [node, ...node.children.flatMap(flatten)];
}

function join(words: readonly string[]): string {
  return words.join(' ').replace(/\s+/g, ' ').trim();
}
