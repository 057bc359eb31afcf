import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDocumented } from './open-documented.js';

it('the credential that purges everything is one of DELETE / alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await using server = await openDocumented({ flags: { 'server-cache': folder, 'server-admin-auth': ['root:secret'] } });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { paths, components } = server.document;
  expect(components.securitySchemes.admin).toMatchObject({ type: 'http', scheme: 'basic' });
  expect(paths['/'].delete.security).toEqual([{}, { admin: [] }]);
  expect(paths['/'].delete.responses['403'].description).toContain('`forbidden`');
  expect(paths['/'].get.security).toEqual([]);
  expect(paths['/'].get.responses['403'].description).toContain('`origin_refused`');
});
