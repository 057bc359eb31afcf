import type { Modifier } from '@platen/lib-actor';
import { type Dialect, type Program, screenSettings, sharedFunctions } from './dialect.js';
import type { Locator, Place } from './script.js';
import { attributeSelector, type SourceText, writeObject } from './source-text.js';

const GOAL = '// The goal: fails if it is not reached in time.';

/** The methods that Playwright has and Puppeteer lacks. */
const FUNCTIONS: Dialect['functions'] = {
  ...sharedFunctions({ page: '', answers: '', result: '', dialog: '', requests: '' }),
  frameOf: `
/** The document in an iframe. */
async function frameOf(parent, selector) {
  const element = await parent.waitForSelector(selector);
  return element.contentFrame();
}`,
  waitForUrl: `
/** Waits until the page has loaded a URL that matches. */
async function waitForUrl(page, { source }) {
  const matches = (pattern) => new RegExp(pattern).test(location.href) && document.readyState === 'complete';
  await page.waitForFunction(matches, {}, source);
}`,
  setChecked: `
/** Checks or unchecks a checkbox, radio button or switch, or that of a label. */
async function setChecked(locator, on) {
  const element = await locator.waitHandle();
  const isOn = () => element.evaluate((one) => (one.control ?? one).checked ?? one.ariaChecked === 'true');
  if ((await isOn()) === on) return;
  await locator.click();
  for (let waited = 0; (await isOn()) !== on; waited += 50) {
    if (waited === 1_000) throw new Error('The element stays as it is.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}`,
  reopen: `
/** Opens a list that has closed with a choice. */
async function reopen(list) {
  const element = await list.waitHandle();
  if (await element.evaluate((one) => one.ariaExpanded === 'false')) await list.click();
}`,
  selectOptions: `
/** Selects options by their labels or values. */
async function selectOptions(locator, wanted) {
  const list = await locator.waitHandle();
  const find = (select, texts) => texts.map((text) => [...select.options].find((one) => one.label.trim() === text)?.value ?? text);
  await list.select(...(await list.evaluate(find, wanted)));
}`,
  drag: `
/** Drags one element to another with the mouse. */
async function drag(page, from, to) {
  const target = await to.waitHandle();
  await from.hover();
  await page.mouse.down();
  const { x, y } = await target.clickablePoint();
  await page.mouse.move(x, y, { steps: 5 });
  await page.mouse.up();
}`,
  upload: `
/** Gives files to a file input. */
async function upload(locator, files) {
  const input = await locator.waitHandle();
  await input.uploadFile(...files);
}`,
  holding: `
/** Holds keys meanwhile. */
async function holding(page, keys, act) {
  for (const key of keys) await page.keyboard.down(key);
  await act();
  for (const key of [...keys].reverse()) await page.keyboard.up(key);
}`,
};

/** Programs for Node.js and Puppeteer. */
export const PUPPETEER: Dialect = {
  program: writeProgram,
  setup: ['const page = await browser.newPage();'],
  initScript: 'page.evaluateOnNewDocument',
  functions: FUNCTIONS,
  locate: (target, page, text) => `${writeScope(target.frames, page, text)}.locator(${text.quote(selectorOf(target))})`,
  option({ frames }, page, { value, text }) {
    const option: Place = { locators: [{ by: 'role', role: 'option', name: text.plain(value) }], shadow: 'none' };
    return `${writeScope(frames, page, text)}.locator(${text.quote(selectorOf(option))})`;
  },
  click(element, page, { button = 'left', count = 1, modifiers = [] }) {
    const options = writeObject({
      button: button === 'left' ? undefined : `'${button}'`,
      count: count === 1 ? undefined : count,
    });
    return withModifiers(`${element}.click(${options})`, page, modifiers);
  },
  type: (element, value) => `${element}.waitHandle().then((element) => element.type(${value}))`,
  check: (element, state) => `setChecked(${element}, ${state})`,
  select: (element, values) => `selectOptions(${element}, [${values}])`,
  drag: (from, to, page) => `drag(${page}, ${from}, ${to})`,
  upload: (element, files) => `upload(${element}, [${files}])`,
  choose: (element, files, page) =>
    `Promise.all([${page}.waitForFileChooser(), ${element}.click()]).then(([chooser]) => chooser.accept([${files}]))`,
  focus: (element) => `${element}.waitHandle().then((element) => element.focus())`,
  press: (page, modifiers, key) => withModifiers(`${page}.keyboard.press(${JSON.stringify(key)})`, page, modifiers),
  wheel: (page, right, down) => `${page}.mouse.wheel({ deltaX: ${String(right)}, deltaY: ${String(down)} })`,
  wait: (_, ms) => `new Promise((resolve) => setTimeout(resolve, ${String(ms)}))`,
  popup: (page) => `new Promise((resolve) => ${page}.once('popup', resolve))`,
  load: (page) => `${page}.waitForNavigation()`,
  closed: (page) => `new Promise((resolve) => ${page}.once('close', resolve))`,
  arrive: (page, pattern) => `waitForUrl(${page}, /${pattern}/)`,
  expectUrl: (page, pattern) => [GOAL, `await waitForUrl(${page}, /${pattern}/);`],
  expectSelector: (page, selector) => [GOAL, `await ${page}.waitForSelector(${selector});`],
};

function writeProgram({ script: { task, profile }, text, constants, body }: Program): readonly string[] {
  const { width, height, userAgent, acceptLanguage } = profile;
  // Switches apply to popups, too.
  const switches = [
    ...(userAgent === undefined ? [] : [text.quote(`--user-agent=${userAgent}`)]),
    ...(acceptLanguage === undefined ? [] : [text.quote(`--accept-lang=${acceptLanguage}`)]),
  ];
  const settings = writeObject({
    defaultViewport: writeObject({ width, height, ...screenSettings(profile) }),
    args: switches.length === 0 ? undefined : `[${switches.join(', ')}]`,
  });
  return [
    '// Replays a navigation without a model: npm install puppeteer && node FILE. Files are read from ./files.',
    text.comment(task),
    "import puppeteer from 'puppeteer';",
    ...constants,
    '',
    'const inFlight = new WeakMap();',
    `const browser = await puppeteer.launch(${settings});`,
    'try {',
    ...body,
    '} finally {',
    '  await browser.close();',
    '}',
  ];
}

/** The document of a target. */
function writeScope(frames: readonly Place[], page: string, { quote }: SourceText): string {
  if (frames.length === 0) return page;
  return `(${frames.reduce((parent, frame) => `await frameOf(${parent}, ${quote(selectorOf(frame))})`, page)})`;
}

function withModifiers(act: string, page: string, modifiers: readonly Modifier[]): string {
  return modifiers.length === 0 ? act : `holding(${page}, ${JSON.stringify(modifiers)}, () => ${act})`;
}

/** The selector of the first locator that can be written. */
function selectorOf({ locators, shadow }: Place): string {
  const [selector = '*'] = locators.flatMap((locator) => writeSelector(locator) ?? []);
  // Its own selectors look into shadow trees by themselves.
  return shadow === 'none' || selector.startsWith('::-p-') || selector.includes(' >>>> ') ? selector : `>>> ${selector}`;
}

function writeSelector(locator: Locator): string | undefined {
  switch (locator.by) {
    case 'role':
    case 'label': {
      const name = quoteArgument(locator.by === 'role' ? locator.name : locator.text);
      return name === undefined ? undefined : `::-p-aria([name=${name}]${locator.by === 'role' ? `[role="${locator.role}"]` : ''})`;
    }
    case 'text': {
      const text = quoteArgument(locator.text);
      return text === undefined ? undefined : `::-p-text(${text})`;
    }
    case 'attribute':
      return attributeSelector(locator.name, locator.value);
    case 'css':
      return locator.parts.join(' >>>> ');
  }
}

/** Arguments of these selectors have no escapes that survive the parser. */
function quoteArgument(text: string): string | undefined {
  if (text.includes('\\') || (text.includes('"') && text.includes("'"))) return undefined;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
