import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { usePlayground } from '../../plugins/service/openapi/open-playground.js';
import { playRender } from '../../plugins/service/openapi/play-render.js';

const playing = usePlayground({ render: playRender().render });

describe('the welcome page', () => {
  it('copies each command by a button, and asks no other server', async () => {
    const { page, complaints } = await playing.visit('about:blank', { permissions: ['clipboard-read', 'clipboard-write'] });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(playing.server.url);
    const command = await page.locator('pre').nth(1).textContent();
    await page.getByRole('button', { name: 'Copy' }).nth(1).press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    expect(command).toContain(`curl --fail-with-body '${playing.server.url}/?url=`);
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`${playing.server.url}/`]);
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('wraps its commands on a phone, and axe finds nothing wrong in the %s', async (colorScheme) => {
    const { page } = await playing.visit(playing.server.url, { viewport: { width: 360, height: 740 }, colorScheme, bypassCSP: true });
    expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('pre')?.scrollWidth])).toEqual([
      360,
      await page.evaluate(() => document.querySelector('pre')?.clientWidth),
    ]);
    await page.evaluate(axe.source);
    // axe.run() is a global of the library.
    expect(await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id }) => id))`)).toEqual([]);
  });

  it('has the colors that were chosen in the playground', async () => {
    const { page } = await playing.playground();
    await page.getByRole('button', { name: 'Colors: auto' }).click();
    await page.getByRole('button', { name: 'Colors: light' }).click();
    await page.goto(playing.server.url);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 16, 23)');
  });
});
