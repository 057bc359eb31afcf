import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import type { RecordedAction } from '../../../../plugins/navigator/navigator-scripts/src/record-actions.js';
import type { Place } from '../../../../plugins/navigator/navigator-scripts/src/script.js';
import { type Action, BUTTON, CLICK, record, state, target, write } from './recorded.js';

/** What the steps are, without those that are part of every script. */
function stepsOf(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  const from = lines.findIndex((line) => line.startsWith('await page.goto(')) + 2;
  const to = lines.findIndex(
    (line) => line.startsWith('await expect(') || line.startsWith('// The goal') || line.startsWith('// The navigation'),
  );
  return lines
    .slice(from, to)
    .filter((line) => !/^await rest\(page\d*\);$/.test(line))
    .join('\n');
}

const LOCATORS: readonly (readonly [Partial<Place> & { readonly frames?: readonly Place[] }, string, string])[] = [
  [
    { locators: [BUTTON] },
    `page.getByRole('button', { name: 'Go', exact: true })`,
    `page.locator('::-p-aria([name="Go"][role="button"])')`,
  ],
  [{ locators: [{ by: 'attribute', name: 'data-testid', value: 'a' }] }, `page.getByTestId('a')`, `page.locator('[data-testid="a"]')`],
  [
    { locators: [{ by: 'attribute', name: 'data-test', value: 'a' }] },
    `page.locator('[data-test="a"]')`,
    `page.locator('[data-test="a"]')`,
  ],
  [{ locators: [{ by: 'label', text: 'Day' }] }, `page.getByLabel('Day', { exact: true })`, `page.locator('::-p-aria([name="Day"])')`],
  [
    { locators: [{ by: 'attribute', name: 'placeholder', value: 'a' }] },
    `page.getByPlaceholder('a', { exact: true })`,
    `page.locator('[placeholder="a"]')`,
  ],
  [{ locators: [{ by: 'attribute', name: 'alt', value: 'a' }] }, `page.getByAltText('a', { exact: true })`, `page.locator('[alt="a"]')`],
  [{ locators: [{ by: 'attribute', name: 'title', value: 'a' }] }, `page.getByTitle('a', { exact: true })`, `page.locator('[title="a"]')`],
  [{ locators: [{ by: 'text', text: 'Buy' }] }, `page.getByText('Buy', { exact: true })`, `page.locator('::-p-text("Buy")')`],
  [{ locators: [{ by: 'css', parts: ['#a'] }], shadow: 'open' }, `page.locator('#a')`, `page.locator('>>> #a')`],
  [
    { locators: [{ by: 'css', parts: ['x-a', ':host > b'] }], shadow: 'open' },
    `page.locator('x-a').locator(':scope > b')`,
    `page.locator('x-a >>>> :host > b')`,
  ],
  // Puppeteer's selectors cannot have both kinds of quotes.
  [
    {
      locators: [
        { by: 'role', role: 'link', name: `"it's"` },
        { by: 'css', parts: ['#b'] },
      ],
    },
    `page.getByRole('link', { name: "\\"it's\\"", exact: true })`,
    `page.locator('#b')`,
  ],
  [
    { frames: [{ locators: [{ by: 'attribute', name: 'name', value: 'pay' }], shadow: 'none' }] },
    `page.locator('[name="pay"]').contentFrame().getByRole('button', { name: 'Go', exact: true })`,
    `(await frameOf(page, '[name="pay"]')).locator('::-p-aria([name="Go"][role="button"])')`,
  ],
];

it.each(LOCATORS)('locator %j', (place, playwright, puppeteer) => {
  const scripts = write([record({ kind: 'hover', ref: 'e1' }, { targets: new Map([['e1', target(place)]]) })]);
  expect(stepsOf(scripts.playwright)).toBe(`await ${playwright}.hover();`);
  expect(stepsOf(scripts.puppeteer)).toBe(`await ${puppeteer}.hover();`);
});

const GO = `page.getByRole('button', { name: 'Go', exact: true })`;
const GO_ARIA = `page.locator('::-p-aria([name="Go"][role="button"])')`;

const ACTIONS: readonly (readonly [Action, string, string])[] = [
  [
    { kind: 'click', ref: 'e1', button: 'right', count: 2 },
    `await ${GO}.click({ button: 'right', clickCount: 2 });`,
    `await ${GO_ARIA}.click({ button: 'right', count: 2 });`,
  ],
  [
    { kind: 'click', ref: 'e1', modifiers: ['Shift'] },
    `await ${GO}.click({ modifiers: ['Shift'] });`,
    `await holding(page, ["Shift"], () => ${GO_ARIA}.click());`,
  ],
  [{ kind: 'click', ref: 'e1', why: 'a\nb */' }, `// a b */\nawait ${GO}.click();`, `// a b */\nawait ${GO_ARIA}.click();`],
  [
    { kind: 'fill', ref: 'e1', value: 'credential:user name' },
    `await ${GO}.fill(credentials["user name"]);`,
    `await ${GO_ARIA}.fill(credentials["user name"]);`,
  ],
  [{ kind: 'fill', ref: 'e1', value: 'data: city' }, `await ${GO}.fill(data["city"]);`, `await ${GO_ARIA}.fill(data["city"]);`],
  [{ kind: 'fill', ref: 'e1', value: 'data:other' }, `await ${GO}.fill('data:other');`, `await ${GO_ARIA}.fill('data:other');`],
  [{ kind: 'fill', ref: 'e1', value: 'write:a poem' }, `await ${GO}.fill('Roses');`, `await ${GO_ARIA}.fill('Roses');`],
  [
    { kind: 'fill', ref: 'e1', value: 'a', submit: true },
    `await ${GO}.fill('a');\nawait page.keyboard.press("Enter");`,
    `await ${GO_ARIA}.fill('a');\nawait page.keyboard.press("Enter");`,
  ],
  [
    { kind: 'type', ref: 'e1', value: 'data:city', submit: true },
    `await ${GO}.pressSequentially(data["city"]);\nawait page.keyboard.press("Enter");`,
    `await ${GO_ARIA}.waitHandle().then((element) => element.type(data["city"]));\nawait page.keyboard.press("Enter");`,
  ],
  [{ kind: 'type', value: 'a' }, `await page.keyboard.type('a');`, `await page.keyboard.type('a');`],
  [
    { kind: 'press', keys: 'ctrl+a' },
    `await page.keyboard.press("Control+a");`,
    `await holding(page, ["Control"], () => page.keyboard.press("a"));`,
  ],
  [
    { kind: 'scroll', dir: 'up' },
    'await page.mouse.move(400, 300);\nawait page.mouse.wheel(0, -480);',
    'await page.mouse.move(400, 300);\nawait page.mouse.wheel({ deltaX: 0, deltaY: -480 });',
  ],
  [{ kind: 'wait', ms: 5 }, 'await page.waitForTimeout(5);', 'await new Promise((resolve) => setTimeout(resolve, 5));'],
  [{ kind: 'goto', url: '/b?c' }, `await page.goto('http://site/b?c');`, `await page.goto('http://site/b?c');`],
  [{ kind: 'goto', url: 'http://user:pass@site/' }, `await page.goto('http://site/');`, `await page.goto('http://site/');`],
  [
    { kind: 'click', ref: 'e9' },
    '// Omitted: "click", since its element could not be described.',
    '// Omitted: "click", since its element could not be described.',
  ],
];

it.each(ACTIONS)('%j', (action, playwright, puppeteer) => {
  const scripts = write([record(action, { written: 'Roses' })], { data: { city: 'Paris' } });
  expect(stepsOf(scripts.playwright)).toBe(playwright);
  expect(stepsOf(scripts.puppeteer)).toBe(puppeteer);
});

const EFFECTS: readonly (readonly [string, readonly RecordedAction[], RegExp, RegExp])[] = [
  [
    'a new URL',
    [record(CLICK, { after: state('http://site/a', 1) })],
    /click\(\);\nawait page\.waitForURL\(\/\^http:\\\/\\\/site\\\/a\$\/\);/,
    /click\(\);\nawait waitForUrl\(page, \/\^http:/,
  ],
  [
    'a new document',
    [record(CLICK, { after: state('http://site/', 1) })],
    /Promise\.all\(\[\npage\.waitForEvent\('load'\),\n/,
    /page\.waitForNavigation\(\),/,
  ],
  [
    'the next of several ids',
    [record(CLICK, { before: state('http://site/1001'), after: state('http://site/1002', 1) })],
    /page\.waitForEvent\('load'\),/,
    /page\.waitForNavigation\(\),/,
  ],
  [
    'a popup, and its closing',
    [record(CLICK, { opened: ['t2'] }), record(CLICK, { tab: 't2', hasClosedTab: true }), record({ kind: 'hover', ref: 'e1' })],
    /const \[page2\] = await Promise\.all\(\[\npage\.waitForEvent\('popup'\),[^]*watchRequests\(page2\);\n[^]*page2\.waitForEvent\('close'\),\npage2.*\.catch\(\(\) => undefined\),[^]*await page\.bringToFront\(\);/,
    /page\.once\('popup', resolve\)[^]*page2\.once\('close', resolve\)/,
  ],
  [
    'a tab that is closed',
    [record(CLICK, { opened: ['t2'] }), record({ kind: 'tab', tab: 't2', close: true })],
    /await page2\.close\(\);/,
    /await page2\.close\(\);/,
  ],
  [
    'dialogs',
    [record(CLICK), record({ kind: 'dialog', accept: false }), record({ kind: 'dialog', accept: true, text: '"' })],
    /answerDialogs\(page, \[\{ accept: false \}, \{ accept: true, text: '"' \}\]\),\npage\.getByRole/,
    /answerDialogs\(page, \[\{ accept: false \}, \{ accept: true, text: '"' \}\]\),\npage\.locator/,
  ],
];

it.each(EFFECTS)('waits for %s from before the action', async (_, actions, playwright, puppeteer) => {
  const scripts = write(actions);
  expect(stepsOf(scripts.playwright)).toMatch(playwright);
  expect(stepsOf(scripts.puppeteer)).toMatch(puppeteer);
  await transform(scripts.playwright, { loader: 'ts' });
  await transform(scripts.puppeteer, { loader: 'js', format: 'esm' });
});

it.each([
  ['url:*/thanks*', `await expect(page).toHaveURL(/^.*\\/thanks.*$/);`, 'await waitForUrl(page, /^.*\\/thanks.*$/);'],
  [
    'url:/thanks',
    `await expect(page).toHaveURL(/^[a-z]+:\\/\\/[^/]+\\/thanks$/);`,
    'await waitForUrl(page, /^[a-z]+:\\/\\/[^/]+\\/thanks$/);',
  ],
  ['css:.a', `await expect(page.locator('.a').first()).toBeAttached();`, `await page.waitForSelector('.a');`],
  ['Is it done?', `await expect(page).toHaveURL(/^http:\\/\\/site\\/end$/);`, 'await waitForUrl(page, /^http:\\/\\/site\\/end$/);'],
  [undefined, `await expect(page).toHaveURL(/^http:\\/\\/site\\/end$/);`, 'await waitForUrl(page, /^http:\\/\\/site\\/end$/);'],
])('the goal %s is an assertion', (goal, playwright, puppeteer) => {
  const options = goal === undefined ? {} : { goal };
  expect(write([], options).playwright).toContain(playwright);
  expect(write([], options).puppeteer).toContain(puppeteer);
  const failed = write([], { ...options, status: 'failed' });
  for (const source of Object.values(failed)) expect(source).not.toMatch(/toHaveURL|toBeAttached|await waitFor/);
});

it('settings of the request are settings of the browser', () => {
  const { playwright, puppeteer } = write([], {
    profile: { mobile: true, touchPoints: 5, deviceScaleFactor: 2, userAgent: 'Agent "1"', acceptLanguage: 'fr-CH,fr' },
  });
  expect(playwright).toContain(
    `test.use({ viewport: { width: 800, height: 600 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, userAgent: 'Agent "1"', locale: 'fr-CH' });`,
  );
  expect(puppeteer).toContain(
    `defaultViewport: { width: 800, height: 600, deviceScaleFactor: 2, isMobile: true, hasTouch: true }, args: ['--user-agent=Agent "1"', '--accept-lang=fr-CH,fr']`,
  );
});
