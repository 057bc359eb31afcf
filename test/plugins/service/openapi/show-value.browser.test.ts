import { describe, expect, it } from 'vitest';
import { shownType } from '../../../../plugins/service/openapi/src/browser/preview.js';
import { showValue } from '../../../../plugins/service/openapi/src/browser/read-json.js';
import { DECIMAL } from '../../../../schema/src/coerce.js';
import { usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const { playground } = usePlayground({ render: playRender().render });

describe('the type under which a body has a URL', () => {
  it.each([
    ['image/png', 'image/png'],
    ['Image/SVG+xml; charset=utf-8', 'image/svg+xml'],
    ['application/pdf;, text/html', 'application/pdf'],
    ['image/png, text/html', 'application/octet-stream'],
    ['text/html;charset=utf-8', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of %j is %s', (contentType, type) => {
    expect(shownType(contentType)).toBe(type);
  });
});

describe('a number', () => {
  it.each([
    ['0.0000001', '0.0000001'],
    ['-0.00000123', '-0.00000123'],
    ['9'.repeat(25), `1${'0'.repeat(25)}`],
    ['1234567890123456789012345', '1234567890123456800000000'],
    ['0.5', '0.5'],
    ['-800', '-800'],
  ])('%s is shown as the server takes it out of a query string', (text, shown) => {
    expect(showValue(Number(text))).toBe(shown);
    expect(Number(shown)).toBe(Number(text));
    expect(shown).toMatch(DECIMAL);
  });

  it('of any size is what it was', () => {
    for (const value of Array.from({ length: 600 }, (_, at) => Number(`1.7e${String(at - 300)}`))) {
      expect(Number(showValue(value))).toBe(value);
      expect(showValue(value)).toMatch(DECIMAL);
    }
  });
});

it('the playground sends and keeps decimals without exponents', async () => {
  const { page } = await playground('#url=http://a.test/');
  await page.getByLabel('Send as').selectOption('GET');
  await page.getByLabel('Find a parameter').fill('browser_width');
  const width = page.getByLabel('browser_width', { exact: true });
  await width.fill('9'.repeat(25));
  const sent = page.waitForRequest((request) => request.url().includes('browser_width='));
  await page.getByRole('button', { name: 'Render', exact: true }).click();
  expect(new URL((await sent).url()).searchParams.get('browser_width')).toMatch(DECIMAL);
  await page.waitForSelector('body[data-state=failed]');
  expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('browser_width')).toMatch(DECIMAL);
  await width.fill('9'.repeat(400));
  await page.getByRole('button', { name: 'Render', exact: true }).click();
  expect(await page.locator('#field-browser_width-error').textContent()).toContain('is not a valid number');
});
