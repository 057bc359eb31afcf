import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';
import { openSite } from '../../helpers/site.js';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-few-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe('a render with the plugins that it needs', () => {
  it('loads its page once, also if only the page shows a mistake', async () => {
    let loads = 0;
    await using site = await openSite({
      '/': () => {
        loads += 1;
        return { headers: { 'content-type': 'text/html' }, body: '<p>Hello' };
      },
    });
    const { code, stderr } = await callCli([site.url('/'), 'a.png', '--image-selector', '##'], { cwd });
    expect(stderr).toContain('image_selector');
    expect({ code, loads }).toEqual({ code: 2, loads: 1 });
    expect(await callCli([site.url('/'), 'a.png'], { cwd })).toMatchObject({ code: 0 });
    expect(loads).toBe(2);
  });

  it.each([
    ['an extension of another plugin', ['a.pgn'], 'webm'],
    ['a name that is nearly that of another plugin', ['a.png', '--markdown-selectr', 'p'], '--markdown-selector'],
  ])('knows all plugins when it explains %s', async (_what, args, text) => {
    const { code, stderr } = await callCli(['https://example.com/', ...args], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) as string });
  });
});
