import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import { afterEach, expect, it } from 'vitest';
import { closeAll, closeNow, makeFolder, openCached } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';

/** A flag that names a file, as the storage default's does. */
const stateful = definePlugin({ name: 'stateful', flags: { storage: { type: 'string', description: 'A file.' } } });

it('a file that a flag names is part of the key by its content: another content misses, the same is found again', async () => {
  const folder = await makeFolder();
  const storage = join(await makeFolder(), 'state.json');
  const ask = async (content: string) => {
    await writeFile(storage, content);
    const server = await openCached({ folder, plugins: [stateful], flags: { storage } });
    const answer = await server.get(PAGE);
    await answer.text();
    await closeNow(server);
    return answer.headers.get('cache-status');
  };
  expect(await ask('{"cookies":[]}')).toContain('fwd=uri-miss');
  expect(await ask('{"cookies":[]}')).toContain('hit');
  expect(await ask('{"origins":[]}')).toContain('fwd=uri-miss');
  expect(await ask('{"cookies":[]}')).toContain('hit');
});
