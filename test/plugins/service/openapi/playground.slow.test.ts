import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { DECIMAL } from '../../../../schema/src/coerce.js';
import { until } from '../../../helpers/until.js';
import { BASIC, openDocumented, SIGNED, TOKEN } from './open-documented.js';
import { render, usePlayground } from './open-playground.js';
import { BODIES, HTML, playRender } from './play-render.js';

const played = playRender();
const playing = usePlayground({ render: played.render });
const { playground, visit } = playing;
afterEach(() => {
  played.started.length = 0;
});

describe('the form', () => {
  it('has every key of the schema, labelled, with its help', async () => {
    const { page, complaints } = await playground();
    const keys = [...playing.server.kernel.schema.keys.keys()].filter((key) => key !== 'url' && key !== 'output_type');
    const shown = await page.locator('[data-key]').evaluateAll((fields) => fields.map((field) => field.getAttribute('data-key')));
    expect([...shown].sort()).toEqual([...keys].sort());
    expect(await page.getByLabel('Output', { exact: true }).locator('option').count()).toBe(playing.server.document['x-outputs'].length);
    const width = page.getByLabel('browser_width', { exact: true });
    expect(await width.getAttribute('placeholder')).toBe('1280');
    expect(await page.locator(`#${(await width.getAttribute('aria-describedby'))?.split(' ')[0] ?? ''}`).textContent()).toContain(
      '1 to 16384',
    );
    expect(complaints).toEqual([]);
  });

  it('is searched by key, section and help', async () => {
    const { page } = await playground();
    await page.getByLabel('Find a parameter').fill('time zone');
    expect(
      await page.locator('[data-key]:visible').evaluateAll((fields) => fields.map((field) => field.getAttribute('data-key'))),
    ).toContain('emulate_timezone');
    expect(await page.locator('[data-key]:visible').count()).toBeLessThan(5);
    expect(await page.getByRole('search').getByRole('status').textContent()).toMatch(/^\d parameters? found$/);
    await page.getByLabel('Find a parameter').fill('nosuchthing');
    const told = page.getByText('No parameter matches “nosuchthing”.');
    expect((await told.boundingBox())?.height).toBeGreaterThan(10);
    await page.getByLabel('Find a parameter').fill('');
    expect(await page.locator('[data-key]:visible').count()).toBe(0);
  });

  it('sends numbers, booleans, choices, lists and objects as what they are', async () => {
    const { page } = await playground();
    await page.getByLabel('Page to render').fill('http://a.test/');
    for (const summary of await page.locator('.sections summary:visible').all()) await summary.click();
    await page.getByLabel('browser_width', { exact: true }).fill('800');
    await page.getByLabel('full_page', { exact: true }).selectOption('true');
    await page.getByLabel('emulate_vision_deficiency', { exact: true }).selectOption('tritanopia');
    await page.getByLabel('cookie, item 1').fill('a=1');
    await page.getByRole('button', { name: 'Add an item to cookie' }).click();
    await page.getByLabel('cookie, item 2').fill('b=2, c');
    await page.getByLabel('with_storage', { exact: true }).fill('{"cookies": [], "origins": []}');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    expect(await render(page)).toBe('done');
    expect((await sent).postDataJSON()).toEqual({
      url: 'http://a.test/',
      output_type: 'png',
      browser_width: 800,
      full_page: true,
      emulate_vision_deficiency: 'tritanopia',
      cookie: ['a=1', 'b=2, c'],
      with_storage: { cookies: [], origins: [] },
    });
  });

  it('sends a GET with repeated keys where that is chosen', async () => {
    const { page } = await playground('#url=http://a.test/&cookie=a%3D1&cookie=b%3D2&full_page=true');
    await page.getByLabel('Send as').selectOption('GET');
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/');
    expect(await render(page)).toBe('done');
    expect([...new URL((await sent).url()).searchParams].sort()).toEqual([
      ['cookie', 'a=1'],
      ['cookie', 'b=2'],
      ['full_page', 'true'],
      ['output_type', 'png'],
      ['url', 'http://a.test/'],
    ]);
  });

  it('keeps its state in the address, and takes it from there', async () => {
    const { page } = await playground('#url=http://a.test/&output_type=webp&emulate_dark_mode=true&header=A:%201&header=B:%202');
    expect(await page.getByLabel('Page to render').inputValue()).toBe('http://a.test/');
    expect(await page.getByLabel('Output', { exact: true }).inputValue()).toBe('webp');
    expect(await page.getByLabel('emulate_dark_mode', { exact: true }).inputValue()).toBe('true');
    expect(await page.getByLabel('header, item 2').inputValue()).toBe('B: 2');
    await page.getByRole('button', { name: 'Clear emulate_dark_mode' }).click();
    await page.getByLabel('Page to render').fill('http://b.test/');
    expect(await page.evaluate(() => location.hash.slice(1))).toBe(
      'url=http%3A%2F%2Fb.test%2F&output_type=webp&header=A%3A+1&header=B%3A+2',
    );
    await page.evaluate(() => {
      location.hash = 'url=http://c.test/';
    });
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#field-url')?.value === 'http://c.test/');
    expect(played.started).toEqual([]);
  });
});

describe('the preview', () => {
  const shown = async (type: string) => {
    const { page, complaints } = await playground(`#url=http://a.test/&output_type=${type}`);
    expect(await render(page)).toBe('done');
    return { page, complaints };
  };

  it('shows an image', async () => {
    const { page, complaints } = await shown('png');
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('#result img')?.naturalWidth === 40);
    expect(complaints).toEqual([]);
  });

  it('says so where the browser cannot show the format', async () => {
    const { page } = await shown('tiff');
    await page.getByText('This browser cannot show image/tiff').waitFor();
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('download')).toMatch(/\.tiff$/);
  });

  it('offers the file where the browser has no viewer for PDF, and downloads nothing unasked', async () => {
    const { page } = await playground('#url=http://a.test/&output_type=pdf');
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    expect(await page.evaluate(() => navigator.pdfViewerEnabled)).toBe(false);
    expect(await render(page)).toBe('done');
    await page.getByText('This browser has no PDF viewer.').waitFor();
    expect(await page.locator('#result iframe').count()).toBe(0);
    expect(downloads).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the PDF' }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.pdf$/);
  });

  it('shows PDF in a frame where the browser has a viewer', async () => {
    const { page } = await playground('#url=http://a.test/&output_type=pdf');
    await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }));
    await render(page);
    await page.locator('iframe[title="The rendered PDF"]').waitFor();
  });

  it('shows HTML in a frame of no origin, styled and without its scripts, and its source', async () => {
    const { page } = await shown('html');
    const frame = page.frameLocator('iframe[title="The rendered HTML"]');
    expect(await frame.locator('#p').evaluate((p) => getComputedStyle(p).color)).toBe('rgb(1, 2, 3)');
    expect(await frame.locator('body').evaluate(() => [self.origin, document.body.childNodes.length])).toEqual(['null', 2]);
    await page.getByRole('tab', { name: 'Rendered' }).press('ArrowRight');
    expect(await page.getByRole('region', { name: 'Source' }).textContent()).toBe(HTML);
  });

  it.each(['txt', 'axtree'])('shows the text of %s', async (type) => {
    const { page } = await shown(type);
    expect(await page.getByRole('region', { name: 'Source' }).textContent()).toBe(BODIES[type] ?? `a ${type}`);
  });

  it.each(['axtree_json', 'har'])('shows %s as a tree', async (type) => {
    const { page } = await shown(type);
    const tree = page.getByRole('region', { name: 'JSON' });
    expect(await tree.textContent()).toContain('count: 3');
    await tree.getByText('nodes').click();
    await tree.getByText('[1]').waitFor();
  });

  it.each(['pdf', 'webm', 'gif', 'trace', 'download', 'mhtml'])('has something to show, and the file, of %s', async (type) => {
    const { page } = await shown(type);
    expect(await page.locator('#result .view').locator(':scope > *').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/^blob:/);
  });

  it('lists the assets, those that are missing, and where the time went', async () => {
    const { page } = await playground('#url=http://assets.test/');
    await render(page);
    const link = page.getByRole('link', { name: 'har' });
    expect(await page.evaluate(async (href) => (await fetch(href)).text(), (await link.getAttribute('href')) ?? '')).toBe('{"log":1}');
    expect(await page.locator('#result').textContent()).toContain('trace;reason="too late"');
    expect(await page.locator('.timing').textContent()).toContain('capture50.0 ms');
  });
});

describe('errors', () => {
  it('stand at their fields, and the first of them has the focus', async () => {
    const { page } = await playground('#url=http://a.test/&browser_width=0&emulate_touch_points=99');
    expect(await render(page)).toBe('failed');
    const width = page.getByLabel('browser_width', { exact: true });
    expect(await width.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#field-browser_width-error').textContent()).toContain('between 1 and 16384');
    expect(await page.locator('#field-emulate_touch_points-error').textContent()).toContain('between 1 and 16');
    expect(await width.evaluate((element) => element === document.activeElement)).toBe(true);
    await width.fill('800');
    await page.getByLabel('emulate_touch_points', { exact: true }).fill('5');
    expect(await render(page)).toBe('done');
    expect(await width.getAttribute('aria-invalid')).toBeNull();
  });

  it('of the target are shown whole', async () => {
    const { page } = await playground('#url=http://broken.test/');
    expect(await render(page)).toBe('failed');
    const alert = await page.getByRole('alert').textContent();
    for (const text of ['Target returned an error status', 'the target answered 404', 'target_status']) expect(alert).toContain(text);
  });

  it('of what is no value are told before anything is sent', async () => {
    const { page } = await playground('#url=http://a.test/');
    await page.getByLabel('Find a parameter').fill('browser_width');
    // Of numbers in other spellings the server would say the same.
    for (const text of ['wide', '1e3', '0x10', '1.', '+5', 'Infinity']) {
      await page.getByLabel('browser_width', { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Render', exact: true }).click();
      expect(await page.locator('#field-browser_width-error').textContent()).toContain(`"${text}" is not a valid number`);
      expect(DECIMAL.test(text)).toBe(false);
    }
    expect(played.started).toEqual([]);
  });
});

it('shows that it renders, and cancels', async () => {
  const { page } = await playground('#url=http://endless.test/');
  const before = played.started.length;
  await page.getByRole('button', { name: 'Render', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Rendering' }).waitFor();
  // A request that is cancelled before the server has it starts no render.
  await until(() => played.started.length > before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForSelector('body[data-state=cancelled]');
  expect(await played.aborted()).toMatchObject({ code: 'client_closed' });
});

describe('the request as code', () => {
  const code = (page: Page, tab: string) =>
    page
      .getByRole('tab', { name: tab, exact: true })
      .click()
      .then(() => page.getByRole('region', { name: 'Code', exact: true }).textContent());

  it('as curl, quoted for a shell; as fetch; as a URL; and it is copied', async () => {
    const { page } = await playground("#url=http://a.test/it's&output_type=pdf", { permissions: ['clipboard-read', 'clipboard-write'] });
    const curl = await code(page, 'curl');
    expect(curl).toContain(`it'\\''s`);
    expect(curl).toContain('-o page.pdf');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(curl);
    expect(await code(page, 'fetch')).toContain(`"url": "http://a.test/it's"`);
    expect(await code(page, 'URL')).toBe(`${playing.server.url}/?url=http%3A%2F%2Fa.test%2Fit%27s&output_type=pdf`);
    await page.getByLabel('Send as').selectOption('GET');
    expect(await code(page, 'curl')).toContain(`--data-urlencode 'url=http://a.test/it'\\''s'`);
  });
});

describe('a server that asks for a user', () => {
  it('is told in code of one whose name is beyond Latin-1, in UTF-8', async () => {
    const guarded = await openDocumented({
      more: [BASIC],
      render: played.render,
      flags: { 'server-basic-auth': ['me:pw'] },
      headers: { authorization: `Basic ${btoa('me:pw')}` },
    });
    const { page } = await visit(`${guarded.url}/playground#url=http://a.test/`, { httpCredentials: { username: 'me', password: 'pw' } });
    await page.waitForSelector('body[data-state=idle]');
    await page.getByRole('tab', { name: 'fetch', exact: true }).click();
    const code = (await page.getByRole('region', { name: 'Code', exact: true }).textContent()) ?? '';
    const header = /authorization: (`[^`]*`)/.exec(code)?.[1] ?? '""';
    const said: unknown = runInNewContext(header, { Buffer, process: { env: { PLATEN_USER: 'Łucja:中' } } });
    expect(said).toBe(`Basic ${Buffer.from('Łucja:中').toString('base64')}`);
    await guarded[Symbol.asyncDispose]();
  });
});

describe('a server that asks for a token', () => {
  it('is asked with the one that is given, which stays in the tab and in no code', async () => {
    const guarded = await openDocumented({
      more: [TOKEN, SIGNED],
      render: played.render,
      flags: { 'server-token-auth': ['yes'], 'server-signed-url': ['s'] },
      headers: { authorization: 'Bearer yes' },
    });
    const visited = await visit(`${guarded.url}/playground#url=http://a.test/`);
    const { page } = visited;
    await page.getByLabel('Access token').fill('no');
    await page.getByRole('button', { name: 'Use token' }).click();
    await page.getByText('The server does not accept this token.').waitFor();
    await page.getByLabel('Access token').fill('yes');
    await page.getByRole('button', { name: 'Use token' }).click();
    await page.waitForSelector('body[data-state=idle]');
    expect(await render(page)).toBe('done');
    const curl = (await page.getByRole('region', { name: 'Code', exact: true }).textContent()) ?? '';
    expect(curl).toContain('Authorization: Bearer $PLATEN_TOKEN');
    await page.getByRole('tab', { name: 'URL', exact: true }).click();
    expect(await page.getByRole('region', { name: 'Code', exact: true }).textContent()).toContain("platen sign 'http");
    expect(
      await page.evaluate(() => [sessionStorage.length, JSON.stringify(localStorage).includes('yes'), location.href.includes('yes')]),
    ).toEqual([1, false, false]);
    await guarded[Symbol.asyncDispose]();
  });
});
