import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeReadError, readTextFile } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
let fifo: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  fifo = join(folder, 'fifo');
  execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
});
afterAll(() => rm(folder, { recursive: true }));

const refusal = (path: string) => readTextFile(path, { regular: true }).then(String, describeReadError);

describe('a text file', () => {
  it('that must be regular is read, and no pipe, device or folder is waited for', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '\uFEFFhéllo\n');
    expect(await readTextFile(path, { regular: true })).toBe('héllo\n');
    expect([await refusal(fifo), await refusal('/dev/zero')]).toEqual(Array(2).fill(expect.stringMatching(/^it is not a regular file/)));
    expect([await refusal(folder), await refusal(join(folder, 'missing'))]).toEqual(['it is a folder', 'there is no such file']);
  });

  it('else may come out of a pipe', async () => {
    const [text] = await Promise.all([readTextFile(fifo), writeFile(fifo, 'by a pipe\n')]);
    expect(text).toBe('by a pipe\n');
  });
});
