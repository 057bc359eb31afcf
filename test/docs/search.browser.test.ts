import { describe, expect, it } from 'vitest';
import { callCli } from '../helpers/call-cli.js';
import { usePlayground } from '../plugins/service/openapi/open-playground.js';
import { SEARCHES } from './search-words.js';

const playing = usePlayground({});
const { playground, visit } = playing;

describe('words of a task find the parameter', () => {
  it.each(SEARCHES)('by `platen help`: %s', async (words, key) => {
    const { code, stdout, stderr } = await callCli(['help', ...words.split(' ')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(String(stdout)).toMatch(new RegExp(`^  ${key} `, 'm'));
  });

  it('in the playground', async () => {
    const { page } = await playground();
    for (const [words, key] of SEARCHES) {
      await page.getByLabel('Find a parameter').fill(words);
      const shown = await page.locator('[data-key]:visible').evaluateAll((fields) => fields.map((field) => field.getAttribute('data-key')));
      expect(shown, words).toContain(key);
      expect(shown.length, words).toBeLessThan(40);
    }
  });

  it('on the API page', async () => {
    const { page } = await visit(`${playing.server.url}/docs`);
    await page.waitForSelector('body[data-state=idle]');
    for (const [words, key] of SEARCHES) {
      await page.getByLabel('Find a parameter').fill(words);
      const shown = await page.locator('.parameter:visible').evaluateAll((entries) => entries.map(({ id }) => id));
      expect(shown, words).toContain(`parameter-${key}`);
      expect(shown.length, words).toBeLessThan(40);
    }
  });
});

describe('platen help', () => {
  it('finds whole words, names before descriptions', async () => {
    const text = String((await callCli(['help', 'ads'])).stdout);
    expect(text).toMatch(/^ {2}block_ads /);
    expect(text).not.toMatch(/upload|header/);
    expect(String((await callCli(['help', 'margin'])).stdout)).toMatch(/\nMentioned by\n {2}pdf_header, pdf_footer\n$/);
  });

  it('explains an error code', async () => {
    expect(String((await callCli(['help', 'render_timeout'])).stdout)).toMatch(
      /^Error "render_timeout" \(status 504, exit code 4\): Render timed out\n[^]*within `timeout` seconds/,
    );
    expect(String((await callCli(['help', 'boot_invalid_flag'])).stdout)).toContain('(exit code 2)');
  });

  it('suggests the nearest name for words that nothing has', async () => {
    const { code, stderr } = await callCli(['help', 'fullpag']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('did you mean "full_page"?') });
  });
});
