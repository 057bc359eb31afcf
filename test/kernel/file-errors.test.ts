import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeReadError } from '@platen/kernel';

const HERE = fileURLToPath(import.meta.url);

async function reasonOf(path: string): Promise<string> {
  return describeReadError(await readFile(path).catch((error: unknown) => error));
}

describe('describeReadError', () => {
  it.each([
    ['a file that is not there', `${HERE}.missing`, 'there is no such file'],
    ['a folder', fileURLToPath(new URL('.', import.meta.url)), 'it is a folder'],
    ['a path through a file', `${HERE}/below`, 'a part of the path is not a folder'],
    ['a name of 300 letters', `${HERE}${'x'.repeat(300)}`, 'its name is too long'],
  ])('says what is wrong with %s', async (_, path, reason) => {
    expect(await reasonOf(path)).toBe(reason);
  });

  it("tells the system's own code where it has no words, and nothing of what is no error of the system", () => {
    expect(describeReadError(Object.assign(new Error('secret'), { code: 'EIO' }))).toBe('EIO');
    expect(describeReadError(new Error('secret'))).toBe('unknown error');
  });
});
