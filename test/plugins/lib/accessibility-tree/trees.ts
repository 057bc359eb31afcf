import { definePlugin, type Page, type Rect } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { captureTree, type TreeCapture, type TreeNode } from '@platen/lib-accessibility-tree';
import tree from '@platen/plugin-accessibility';
import emulate from '../../../../plugins/page/emulate/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';

export interface Reading {
  readonly tree: TreeCapture;
  /** Rectangles of the main document's elements with an id, as the page itself measures them, scrolling added. */
  readonly rects: Readonly<Record<string, Rect>>;
  readonly ms: number;
}

export interface TreeReader extends AsyncDisposable {
  readonly host: TestKernel;
  read(params: Readonly<Record<string, unknown>>): Promise<Reading>;
  /** A page from its body. */
  readBody(body: string, params?: Readonly<Record<string, unknown>>): Promise<readonly TreeNode[]>;
}

export interface ReaderOptions {
  /** What happens to the page before, and beside, the capture. */
  readonly meanwhile?: (page: Page) => Promise<unknown>;
  readonly frameTimeoutMs?: number;
  /** In a browser that has the scale itself. */
  readonly scaled?: boolean;
}

/** Runs in the page. */
function measureIds(): Record<string, Rect> {
  const entries = [...document.querySelectorAll('[id]')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [element.id, { x: x + scrollX, y: y + scrollY, width, height }] as const;
  });
  return Object.fromEntries(entries);
}

/** A kernel whose output is what `captureTree` makes of the page. */
export function openReader({ meanwhile, frameTimeoutMs, scaled = false }: ReaderOptions = {}): TreeReader {
  const reader = definePlugin({
    name: 'tree-reader',
    requires: ['accessibility'],
    captures: [{ kind: 'tree_reading' }],
    outputs: [{ type: 'tree_reading', from: 'tree_reading', contentType: 'application/json', extension: 'json' }],
    plan({ browser }) {
      browser.scaled = scaled;
    },
    apply({ hooks }) {
      hooks.capture.for('tree_reading').tapPromise('tree-reader', async ({ page }): Promise<Reading> => {
        const beside = meanwhile?.(page);
        const start = performance.now();
        const captured = await captureTree(page, frameTimeoutMs === undefined ? {} : { frameTimeoutMs });
        const ms = performance.now() - start;
        await beside;
        return { tree: captured, rects: await page.evaluate(measureIds), ms };
      });
      hooks.encode
        .for('tree_reading')
        .tapPromise('tree-reader', (reading) =>
          Promise.resolve({ contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify(reading)) }),
        );
    },
  });
  const host = createTestKernel({ plugins: [target, emulate, tree, reader] });
  const read = async (params: Readonly<Record<string, unknown>>): Promise<Reading> => {
    const result = await host.render({ output_type: 'tree_reading', ...params });
    return JSON.parse((await result.bytes()).toString()) as Reading;
  };
  return {
    host,
    read,
    async readBody(body, params = {}) {
      const { tree: captured } = await read({
        url: `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>${body}`)}`,
        ...params,
      });
      return flatten(captured.root);
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** In the order of the tree. */
export function flatten(node: TreeNode): readonly TreeNode[] {
  return [node, ...node.children.flatMap(flatten)];
}

/** The one node of that name, and role where more have it. */
export function named(nodes: readonly TreeNode[], name: string, role?: string): TreeNode {
  const found = nodes.filter((node) => node.name.trim() === name && (role === undefined || node.role === role));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${String(found.length)} nodes are named "${name}": ${describe(nodes).join(', ')}`);
  return only;
}

/** `role "name"`, for comparisons. */
export function describe(nodes: readonly TreeNode[]): readonly string[] {
  return nodes.map(({ role, name }) => (name.trim() === '' ? role : `${role} "${name.replace(/\s+/g, ' ').trim()}"`));
}

/** The texts that a user can see, and the others. */
export function splitByVisibility(nodes: readonly TreeNode[]): { readonly seen: readonly string[]; readonly unseen: readonly string[] } {
  const texts = nodes.filter(({ role }) => role !== 'RootWebArea' && role !== 'Iframe').filter(({ name }) => name.trim() !== '');
  return {
    seen: texts.filter(({ visible }) => visible).map(({ name }) => name.trim()),
    unseen: texts.filter(({ visible }) => !visible).map(({ name }) => name.trim()),
  };
}

/** In front of a body, so that boxes lie where their styles say. */
export const HEAD = '<style>body{margin:0} p,div{margin:0}</style>';
export const OPAQUE = 'background:#fff';

export const box = (css: string, text: string): string => `<div style="${css}">${text}</div>`;
