import { describe, expect, it } from 'vitest';
import { usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const { playground } = usePlayground({ render: playRender().render });

describe('a link that this server does not understand', () => {
  it('says above the form and at the fields what was not understood', async () => {
    const { page } = await playground(
      '#url=http://a.test/&output_type=nope&full_page=maybe&browser_width=wide&nosuchkey=1&cookie=a%3D1&emulate_dark_mode=1&browser_height=1&browser_height=2&emulate_touch_points=1e1',
    );
    const said = await page.getByRole('alert').locator('li').allTextContents();
    expect(said.map((line) => line.split(':')[0]).sort()).toEqual([
      'browser_height',
      'browser_width',
      'emulate_touch_points',
      'full_page',
      'nosuchkey',
      'output_type',
    ]);
    for (const text of ['"nope"', '"1e1"', '"maybe"', 'unknown parameter']) expect(said.join()).toContain(text);
    expect(await page.locator('#field-full_page-error').textContent()).toContain('"maybe" is not a valid value');
    expect(await page.getByLabel('full_page', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByLabel('Output', { exact: true }).inputValue()).toBe('png');
    expect(await page.getByLabel('emulate_dark_mode', { exact: true }).inputValue()).toBe('true');
    await page.evaluate(() => {
      location.hash = 'url=http://c.test/';
    });
    await page.waitForFunction(() => document.querySelector('.misread')?.childElementCount === 0);
    expect(await page.locator('#field-full_page-error').textContent()).toBe('');
  });

  it('says nothing of what it understands', async () => {
    const { page } = await playground(
      '#url=http://a.test/&output_type=webp&cookie=a%3D1&cookie=b%3D2&browser_width=800&full_page=&emulate_dark_mode=false&wait_for=load',
    );
    expect(await page.locator('.misread').textContent()).toBe('');
  });

  it('understands every example of the document', async () => {
    const { page } = await playground();
    const complaints = await page.evaluate(async () => {
      const document_ = await (await fetch('/openapi.json')).json();
      const { examples } = document_.paths['/'].post.requestBody.content['application/json'];
      const said: string[] = [];
      for (const { value } of Object.values<{ value: object }>(examples)) {
        const pairs = Object.entries(value).flatMap(([key, given]) =>
          [given].flat().map((item: unknown) => [key, typeof item === 'string' ? item : JSON.stringify(item)]),
        );
        const changed = new Promise((resolve) => {
          addEventListener('hashchange', resolve, { once: true });
        });
        location.hash = new URLSearchParams(pairs).toString();
        await changed;
        said.push(document.querySelector('.misread')?.textContent ?? 'missing');
      }
      return said;
    });
    expect(complaints.length).toBeGreaterThan(50);
    expect(complaints.filter((text) => text !== '')).toEqual([]);
  });
});
