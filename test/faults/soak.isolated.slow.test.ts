import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SOAK = fileURLToPath(new URL('../soak/soak.mjs', import.meta.url));

test('F8: 150 renders, a fifth of them failing, leave no process, descriptor, file or memory behind', async () => {
  // It fails where something grew: its table then says what.
  const { stdout } = await promisify(execFile)(process.execPath, [SOAK, '150', '3']).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  expect(stdout).toMatch(/^150 renders, 0 not as expected, 0 of 6 things grew$/m);
}, 300_000);
