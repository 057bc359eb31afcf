import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import tree from '@platen/plugin-accessibility';
import { describe, it } from 'vitest';

const manifest: unknown = JSON.parse(
  await readFile(new URL('../../../../plugins/capture/accessibility/package.json', import.meta.url), 'utf8'),
);

describe('accessibility', () => {
  for (const check of pluginContract({ plugin: tree, manifest })) it(check.name, check.run);
});
