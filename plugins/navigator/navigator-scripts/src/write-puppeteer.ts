import { HELPERS } from './puppeteer-helpers.js';
import type { Locator, Place, Script } from './script.js';
import * as source from './source-text.js';
import type { Redact } from './url-pattern.js';
import { type ClickOptions, type Dialect, pageName, writeStep } from './write-step.js';

/** A program for Puppeteer that replays the navigation. */
export function writePuppeteer(script: Script, redact: Redact): string {
  const text = source.createSourceText(redact, script.data);
  const form = { dialect: createDialect(text, script), text };
  const body = [
    'const page = await browser.newPage();',
    'watchRequests(page);',
    ...source.openClosedRoots(script, 'page.evaluateOnNewDocument'),
    ...script.steps.flatMap((step) => writeStep(step, script, form)),
    ...writeAssertion(script, text),
  ];
  const used = Object.entries(HELPERS).filter(([name]) => body.some((line) => line.includes(`${name}(`)));
  return [
    '// Replays a navigation without a model: npm install puppeteer && node FILE. Files are read from ./files.',
    text.comment(script.task),
    "import puppeteer from 'puppeteer';",
    ...source.writeConstants(script, text),
    ...['', 'const inFlight = new WeakMap();', `const browser = await puppeteer.launch({ ${writeLaunch(script, text)} });`, 'try {'],
    ...body.map((line) => `  ${line}`),
    ...['} finally {', '  await browser.close();', '}', ...used.map(([, helper]) => helper), ''],
  ].join('\n');
}

/** They hold for popups, too. */
function writeLaunch({ profile }: Script, { quote }: source.SourceText): string {
  const { width, height, userAgent, acceptLanguage } = profile;
  const viewport = [`width: ${String(width)}, height: ${String(height)}`, ...source.screenSettings(profile)];
  const switches = [
    ...(userAgent === undefined ? [] : [quote(`--user-agent=${userAgent}`)]),
    ...(acceptLanguage === undefined ? [] : [quote(`--accept-lang=${acceptLanguage}`)]),
  ];
  return `defaultViewport: { ${viewport.join(', ')} }${switches.length === 0 ? '' : `, args: [${switches.join(', ')}]`}`;
}

function writeAssertion({ assertion }: Script, { quote }: source.SourceText): readonly string[] {
  if (assertion === undefined) return ['// The navigation ended here, without having reached its goal.'];
  const { tab, pattern, selector = '' } = assertion;
  const wait =
    pattern === undefined ? `${pageName(tab)}.waitForSelector(${quote(selector)})` : `waitForUrl(${pageName(tab)}, /${pattern}/)`;
  return ['// The goal: fails if it is not reached in time.', `await ${wait};`];
}

function createDialect({ quote }: source.SourceText, { data }: Pick<Script, 'data'>): Dialect {
  const within = (frames: readonly Place[], page: string) => {
    const frame = frames.reduce((outer, one) => `await frameOf(${outer}, ${quote(selectorOf(one))})`, page);
    return frames.length === 0 ? page : `(${frame})`;
  };
  const holding = (page: string, modifiers: ClickOptions['modifiers'] = [], act: string) =>
    modifiers.length === 0 ? act : `holding(${page}, ${JSON.stringify(modifiers)}, () => ${act})`;
  return {
    locate: (target, page) => `${within(target.frames, page)}.locator(${quote(selectorOf(target))})`,
    option({ frames }, page, value) {
      // Selectors are texts: the value itself is part of it.
      const name = value.startsWith('data:') ? (data.get(value.slice('data:'.length).trim()) ?? value) : value;
      return `${within(frames, page)}.locator(${quote(selectorOf({ locators: [{ by: 'role', role: 'option', name }], shadow: 'none' }))})`;
    },
    click: (element, page, { button = 'left', count = 1, modifiers }) => {
      const options = [...(button === 'left' ? [] : [`button: '${button}'`]), ...(count === 1 ? [] : [`count: ${String(count)}`])];
      return holding(page, modifiers, `${element}.click(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`);
    },
    fill: (element, value) => `${element}.fill(${value})`,
    check: (element, state) => `setChecked(${element}, ${state})`,
    select: (element, values) => `selectOptions(${element}, [${values}])`,
    drag: (from, to, page) => `drag(${page}, ${from}, ${to})`,
    upload: (element, files) => `upload(${element}, [${files}])`,
    choose: (element, files, page) =>
      `Promise.all([${page}.waitForFileChooser(), ${element}.click()]).then(([chooser]) => chooser.accept([${files}]))`,
    focus: (element) => `${element}.waitHandle().then((element) => element.focus())`,
    press: (page, modifiers, key) => holding(page, modifiers, `${page}.keyboard.press(${JSON.stringify(key)})`),
    wheel: (page, right, down) => `${page}.mouse.wheel({ deltaX: ${String(right)}, deltaY: ${String(down)} })`,
    wait: (_, ms) => `new Promise((resolve) => setTimeout(resolve, ${String(ms)}))`,
    popup: (page) => `new Promise((resolve) => ${page}.once('popup', resolve))`,
    load: (page) => `${page}.waitForNavigation()`,
    closed: (page) => `new Promise((resolve) => ${page}.once('close', resolve))`,
    arrive: (page, pattern) => `waitForUrl(${page}, /${pattern}/)`,
  };
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
      return source.attributeSelector(locator.name, locator.value);
    case 'css':
      return locator.parts.join(' >>>> ');
  }
}

/** Arguments of these selectors have no escapes that survive the parser. */
function quoteArgument(text: string): string | undefined {
  if (text.includes('\\') || (text.includes('"') && text.includes("'"))) return undefined;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
