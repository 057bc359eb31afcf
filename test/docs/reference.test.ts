import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOLDER } from './reference/markdown.js';
import { writeHooks } from './reference/hooks.js';
import { writeAssets, writeOutputs } from './reference/outputs.js';
import { writeParameters } from './reference/parameters.js';
import { openProduct, type Product } from './reference/read-product.js';
import { writeEndpoints, writeErrors, writeFlags, writeMetrics } from './reference/server.js';

const PAGES: Readonly<Record<string, (product: Product) => string>> = {
  'parameters.md': writeParameters,
  'outputs.md': writeOutputs,
  'assets.md': writeAssets,
  'flags.md': writeFlags,
  'endpoints.md': writeEndpoints,
  'errors.md': writeErrors,
  'hooks.md': writeHooks,
  'metrics.md': writeMetrics,
};

let written: ReadonlyMap<string, string>;
let product: Awaited<ReturnType<typeof openProduct>>;
beforeAll(async () => {
  product = await openProduct();
  written = new Map(Object.entries(PAGES).map(([name, write]) => [name, write(product)]));
});
afterAll(() => product[Symbol.asyncDispose]());

/** The entries of a page, which are headings: their anchors are the names. */
function entriesOf(page: string): readonly string[] {
  return [...(written.get(page) ?? '').matchAll(/^#{2,3} (\S+)$/gm)].map(([, name = '']) => name);
}

describe('the reference', () => {
  it.each(Object.keys(PAGES))('%s is that of the definitions: `npm run docs:reference` writes it', async (page) => {
    await expect(written.get(page)).toMatchFileSnapshot(join(FOLDER, page));
  });

  it('has no other pages', () => {
    expect(Object.keys(PAGES)).toEqual(expect.arrayContaining(readdirSync(FOLDER)));
  });

  it('has every parameter, output type, asset, flag, error code and metric once, under its name', () => {
    const { kernel, flags, metrics } = product;
    const definitions = kernel.plugins.map(({ definition }) => definition);
    const wanted: Readonly<Record<string, readonly string[]>> = {
      'parameters.md': [...kernel.schema.keys.keys()],
      'outputs.md': definitions.flatMap(({ outputs = [] }) => outputs.map(({ type }) => type)),
      'assets.md': definitions.flatMap(({ assets = [] }) => assets.map(({ name }) => name)),
      'flags.md': [...flags.keys()],
      'errors.md': Object.keys(ERRORS),
      'metrics.md': metrics.map(({ name }) => name),
    };
    for (const [page, names] of Object.entries(wanted)) {
      expect(names.length, page).toBeGreaterThan(8);
      expect(
        entriesOf(page)
          .filter((name) => names.includes(name))
          .sort(),
        page,
      ).toEqual([...names].sort());
    }
  });

  it('describes every entry', () => {
    for (const page of ['parameters.md', 'flags.md', 'errors.md', 'metrics.md', 'assets.md']) {
      expect(written.get(page)).not.toMatch(/^#{2,3} \S+\n\n(?:\S+: )?\n/m);
    }
  });

  it('has every endpoint that a flag enables, and every hook', () => {
    const endpoints = written.get('endpoints.md') ?? '';
    for (const title of ['GET /', 'POST /', 'DELETE /', 'GET /assets', 'GET /status', 'GET /metrics', 'POST /mcp', 'GET /jobs/{id}']) {
      expect(endpoints).toContain(`\n## ${title}\n`);
    }
    const hooks = written.get('hooks.md') ?? '';
    for (const name of [
      'beforeOpen',
      'navigate',
      'waitFor',
      'capture',
      'encode',
      'authorize',
      'routes',
      'finished',
      'assetStore',
      'execute',
    ]) {
      expect(hooks).toMatch(new RegExp(`^\\| \`${name}\` \\| [\\w ]+ \\| .* \\| .{10}`, 'm'));
    }
  });
});
