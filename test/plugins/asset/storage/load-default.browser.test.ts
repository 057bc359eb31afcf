import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStorageHost } from './storage-host.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-storage-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function boot(content: string): Promise<void> {
  const storage = join(folder, 'state.json');
  await writeFile(storage, content);
  await openStorageHost({ storage })[Symbol.asyncDispose]();
}

it.each([
  ['is not JSON', '{"cookies": secret'],
  ['"storage" must be an object', '"secret"'],
  ['"storage.cookies[0].value" must be a string', '{"cookies": [{"name": "secret", "value": 1}]}'],
  ['"storage.origins[0].origin" must be an http or https origin', '{"origins": [{"origin": "secret"}]}'],
])('--storage whose file is wrong fails the start: %s, and does not repeat the file', async (detail, content) => {
  await expect(boot(content)).rejects.toMatchObject({
    code: 'boot_invalid_flag',
    plugin: 'storage',
    message: expect.stringContaining(`--storage: ${detail.startsWith('is') ? `the file ${detail}` : detail}`),
  });
  await expect(boot(content)).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
});

it('--storage whose file is not there fails the start', () => {
  const file = join(folder, 'none.json');
  expect(() => openStorageHost({ storage: file })).toThrow(
    `--storage: the file ${JSON.stringify(file)} cannot be read: there is no such file`,
  );
});

it('--storage takes a file with a byte order mark, and an empty state', async () => {
  await boot('\uFEFF{}');
});

it('--storage with something that no browser takes fails the render, which is not to blame, and says nothing of it', async () => {
  const storage = join(folder, 'state.json');
  await writeFile(storage, '{"cookies": [{"name": "__Host-a", "value": "secret", "domain": ".a.test"}]}');
  await using host = openStorageHost({ storage });
  await expect(host.render({ url: 'data:text/html,' })).rejects.toMatchObject({
    code: 'plugin_failed',
    expose: false,
    message: 'the file of --storage: "storage.cookies[0]" is not accepted by the browser',
  });
});
