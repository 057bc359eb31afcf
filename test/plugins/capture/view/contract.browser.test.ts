import { pluginContract } from '@platen/kernel/testing';
import view from '@platen/plugin-view';
import { describe, it } from 'vitest';
import manifest from '../../../../plugins/capture/view/package.json' with { type: 'json' };

describe('view', () => {
  for (const check of pluginContract({ plugin: view, manifest })) it(check.name, check.run);
});
