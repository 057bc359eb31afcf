import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles, ROOT } from './workspaces.js';

it('requests are listened to in one way, with a bound on what is told of them', () => {
  const sources = ['kernel/src', 'plugins', 'server/src']
    .flatMap((folder) => listFiles(folder))
    .filter((file) => /\/src\/.*\.ts$/.test(file));
  const asking = sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes(`'Network.enable'`));
  expect(asking).toEqual(['kernel/src/browser/protocol/enable-network.ts']);
});
