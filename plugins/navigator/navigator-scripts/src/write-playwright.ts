import type { Locator, Place, Script, Target } from './script.js';
import * as source from './source-text.js';
import type { Redact } from './url-pattern.js';
import { type ClickOptions, type Dialect, pageName, writeStep } from './write-step.js';

const TYPES: source.HelperTypes = {
  page: ': Page',
  answers: ': { accept: boolean; text?: string }[]',
  result: '<void>',
  dialog: ': Dialog',
  requests: '<Request>',
};

/** A test of Playwright (`@playwright/test`) that replays the navigation. */
export function writePlaywright(script: Script, redact: Redact): string {
  const text = source.createSourceText(redact, script.data);
  const form = { dialect: createDialect(text), text };
  const steps = script.steps.flatMap((step) => writeStep(step, script, form));
  const hasDialogs = steps.some((line) => line.includes('answerDialogs('));
  const body = [
    'test.setTimeout(120_000);',
    'watchRequests(page);',
    ...source.openClosedRoots(script, 'page.context().addInitScript'),
    ...steps,
    ...writeAssertion(script, text),
  ];
  return [
    '// Replays a navigation without a model: npx playwright test. Files are read from ./files.',
    `import { ${hasDialogs ? 'type Dialog, ' : ''}expect, type Page, type Request, test } from '@playwright/test';`,
    ...source.writeConstants(script, text),
    ...['', 'const inFlight = new WeakMap<Page, Set<Request>>();', `test.use({ ${writeProfile(script, text)} });`, ''],
    `test(${text.quote(script.task.replace(/\s+/g, ' ').slice(0, 100))}, async ({ page }) => {`,
    ...body.map((line) => `  ${line}`),
    '});',
    ...(hasDialogs ? [source.dialogHelper(TYPES)] : []),
    source.requestHelper(TYPES),
    '',
  ].join('\n');
}

function writeProfile({ profile }: Script, { quote }: source.SourceText): string {
  const { width, height, userAgent, acceptLanguage } = profile;
  return [
    `viewport: { width: ${String(width)}, height: ${String(height)} }`,
    ...source.screenSettings(profile),
    ...(userAgent === undefined ? [] : [`userAgent: ${quote(userAgent)}`]),
    ...(acceptLanguage === undefined ? [] : [`locale: ${quote(acceptLanguage.split(',', 1)[0] ?? '')}`]),
  ].join(', ');
}

function writeAssertion({ assertion }: Script, { quote }: source.SourceText): readonly string[] {
  if (assertion === undefined) return ['// The navigation ended here, without having reached its goal.'];
  const { tab, pattern, selector = '' } = assertion;
  const page = pageName(tab);
  if (pattern !== undefined) return [`await expect(${page}).toHaveURL(/${pattern}/);`];
  return [`await expect(${page}.locator(${quote(selector)}).first()).toBeAttached();`];
}

function createDialect(text: source.SourceText): Dialect {
  const scope = (target: Target, page: string) => `${page}${target.frames.map((frame) => writeFrame(frame, text)).join('')}`;
  return {
    locate: (target, page) => `${scope(target, page)}${writeLocator(target.locators[0], text)}`,
    option: (list, page, value) => `${scope(list, page)}.getByRole('option', { name: ${text.value(value)}, exact: true })`,
    click: (element, _, how) => `${element}.click(${writeClick(how)})`,
    fill: (element, value) => `${element}.fill(${value})`,
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
  };
}

function writeClick({ button = 'left', count = 1, modifiers = [] }: ClickOptions): string {
  const options = [
    ...(button === 'left' ? [] : [`button: '${button}'`]),
    ...(count === 1 ? [] : [`clickCount: ${String(count)}`]),
    ...(modifiers.length === 0 ? [] : [`modifiers: [${modifiers.map((one) => `'${one}'`).join(', ')}]`]),
  ];
  return options.length === 0 ? '' : `{ ${options.join(', ')} }`;
}

function writeFrame({ locators: [locator] }: Place, text: source.SourceText): string {
  return `${writeLocator(locator?.by === 'attribute' ? withTag(locator) : locator, text)}.contentFrame()`;
}

/** Other elements than frames have a name or a title, too. */
function withTag({ name, value }: Extract<Locator, { readonly by: 'attribute' }>): Locator {
  return { by: 'css', parts: [source.attributeSelector(name, value)] };
}

const METHODS: Readonly<Record<string, string>> = {
  'data-testid': 'getByTestId',
  placeholder: 'getByPlaceholder',
  alt: 'getByAltText',
  title: 'getByTitle',
};

function writeLocator(locator: Locator | undefined, { quote }: source.SourceText): string {
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
      if (method === undefined) return `.locator(${quote(source.attributeSelector(locator.name, locator.value))})`;
      return `.${method}(${quote(locator.value)}${method === 'getByTestId' ? '' : ', { exact: true }'})`;
    }
    case 'css':
      // Its selectors see the host of a shadow tree as the parent of the tree's elements.
      return locator.parts.map((part) => `.locator(${quote(part.replace(/^:host\b/, ':scope'))})`).join('');
  }
}
