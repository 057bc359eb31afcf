import { type ClickOptions, type Dialect, type Program, screenSettings, sharedFunctions } from './dialect.js';
import type { Locator, Place, Target } from './script.js';
import { attributeSelector, type SourceText, writeObject } from './source-text.js';

/** Tests for `@playwright/test`. */
export const PLAYWRIGHT: Dialect = {
  program: writeTest,
  setup: [],
  initScript: 'page.context().addInitScript',
  functions: {
    reopen: `
/** Opens a list that has closed with a choice. */
async function reopen(list: Locator) {
  if ((await list.getAttribute('aria-expanded')) === 'false') await list.click();
}`,
    ...sharedFunctions({
      page: ': Page',
      answers: ': { accept: boolean; text?: string }[]',
      result: '<void>',
      dialog: ': Dialog',
      requests: '<Request>',
    }),
  },
  locate: (target, page, text) => `${writeScope(target, page, text)}${writeLocator(target.locators[0], text)}`,
  option: (list, page, { value, text }) =>
    `${writeScope(list, page, text)}.getByRole('option', { name: ${text.value(value)}, exact: true })`,
  click: (element, _, options) => `${element}.click(${writeClick(options)})`,
  type: (element, value) => `${element}.pressSequentially(${value})`,
  check: (element, state) => `${element}.setChecked(${state})`,
  select: (element, values) => `${element}.selectOption([${values}])`,
  drag: (from, to) => `${from}.dragTo(${to}, { steps: 5 })`,
  upload: (element, files) => `${element}.setInputFiles([${files}])`,
  choose: (element, files, page) =>
    `Promise.all([${page}.waitForEvent('filechooser'), ${element}.click()]).then(([chooser]) => chooser.setFiles([${files}]))`,
  focus: (element) => `${element}.focus()`,
  press: (page, modifiers, key) => `${page}.keyboard.press(${JSON.stringify([...modifiers, key].join('+'))})`,
  wheel: (page, right, down) => `${page}.mouse.wheel(${String(right)}, ${String(down)})`,
  wait: (page, ms) => `${page}.waitForTimeout(${String(ms)})`,
  popup: (page) => `${page}.waitForEvent('popup')`,
  load: (page) => `${page}.waitForEvent('load')`,
  closed: (page) => `${page}.waitForEvent('close')`,
  arrive: (page, pattern) => `${page}.waitForURL(/${pattern}/)`,
  expectUrl: (page, pattern) => [`await expect(${page}).toHaveURL(/${pattern}/);`],
  expectSelector: (page, selector) => [`await expect(${page}.locator(${selector}).first()).toBeAttached();`],
};

function writeTest({ script: { task, profile }, text, constants, body, calls }: Program): readonly string[] {
  const { width, height, userAgent, acceptLanguage } = profile;
  const settings = writeObject({
    viewport: writeObject({ width, height }),
    ...screenSettings(profile),
    userAgent: userAgent === undefined ? undefined : text.quote(userAgent),
    locale: acceptLanguage === undefined ? undefined : text.quote(acceptLanguage.split(',', 1)[0] ?? ''),
  });
  return [
    '// Replays a navigation without a model: npx playwright test. Files are read from ./files.',
    `import { ${calls.has('answerDialogs') ? 'type Dialog, ' : ''}expect, ${calls.has('reopen') ? 'type Locator, ' : ''}type Page, type Request, test } from '@playwright/test';`,
    ...constants,
    '',
    'const inFlight = new WeakMap<Page, Set<Request>>();',
    `test.use(${settings});`,
    '',
    `test(${text.quote(task.replace(/\s+/g, ' ').slice(0, 100))}, async ({ page }) => {`,
    '  test.setTimeout(120_000);',
    ...body,
    '});',
  ];
}

function writeClick({ button = 'left', count = 1, modifiers = [] }: ClickOptions): string {
  return writeObject({
    button: button === 'left' ? undefined : `'${button}'`,
    clickCount: count === 1 ? undefined : count,
    modifiers: modifiers.length === 0 ? undefined : `[${modifiers.map((one) => `'${one}'`).join(', ')}]`,
  });
}

/** The document of a target. */
function writeScope({ frames }: Target, page: string, text: SourceText): string {
  return `${page}${frames.map((frame) => writeFrame(frame, text)).join('')}`;
}

function writeFrame({ locators: [locator] }: Place, text: SourceText): string {
  // Other elements than frames have a name or a title, too.
  const selector: Locator | undefined =
    locator?.by === 'attribute' ? { by: 'css', parts: [attributeSelector(locator.name, locator.value)] } : locator;
  return `${writeLocator(selector, text)}.contentFrame()`;
}

const METHODS: Readonly<Record<string, string>> = {
  'data-testid': 'getByTestId',
  placeholder: 'getByPlaceholder',
  alt: 'getByAltText',
  title: 'getByTitle',
};

function writeLocator(locator: Locator | undefined, { quote }: SourceText): string {
  switch (locator?.by) {
    case undefined:
      return '';
    case 'role':
      return `.getByRole('${locator.role}', { name: ${quote(locator.name)}, exact: true })`;
    case 'label':
      return `.getByLabel(${quote(locator.text)}, { exact: true })`;
    case 'text':
      return `.getByText(${quote(locator.text)}, { exact: true })`;
    case 'attribute': {
      const method = METHODS[locator.name];
      if (method === undefined) return `.locator(${quote(attributeSelector(locator.name, locator.value))})`;
      return `.${method}(${quote(locator.value)}${method === 'getByTestId' ? '' : ', { exact: true }'})`;
    }
    case 'css':
      // Its selectors see the host of a shadow tree as the parent of the tree's elements.
      return locator.parts.map((part) => `.locator(${quote(part.replace(/^:host\b/, ':scope'))})`).join('');
  }
}
