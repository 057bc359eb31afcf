import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import tree from '@platen/plugin-tree';
import { describe, it } from 'vitest';

const manifest: unknown = JSON.parse(await readFile(new URL('../../../../plugins/capture/tree/package.json', import.meta.url), 'utf8'));

describe('tree', () => {
  for (const check of pluginContract({ plugin: tree, manifest })) it(check.name, check.run);
});
