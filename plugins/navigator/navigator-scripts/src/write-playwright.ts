import type { DeviceProfile } from '@platen/kernel';
import type { Locator, Place, Script, ScriptAction, Target } from './script.js';
import * as source from './source-text.js';
import type { Redact } from './url-pattern.js';

/** A test of Playwright (`@playwright/test`) that replays the navigation. */
export function writePlaywright(script: Script, redact: Redact): string {
  const text = source.createSourceText(redact);
  const dialect: source.Dialect = {
    write: ({ action, tab }) => writeAction(action, source.pageName(tab), text),
    popup: (page) => `${page}.waitForEvent('popup')`,
    load: (page) => `${page}.waitForEvent('load')`,
    closed: (page) => `${page}.waitForEvent('close')`,
    arrive: (page, pattern) => `await ${page}.waitForURL(/${pattern}/);`,
  };
  const steps = script.steps.flatMap((step) => source.writeStep(step, dialect, text));
  const roots = source.usesClosedShadow(script)
    ? ['await page.context().addInitScript(() => {', ...source.indent(source.OPEN_CLOSED_ROOTS), '});']
    : [];
  const body = [...roots, ...steps, ...writeAssertion(script, text)];
  const hasDialogs = steps.some((line) => line.includes('answerDialogs('));
  return [
    text.comment('Replays a navigation without a model: npx playwright test'),
    ...(steps.some((line) => line.includes('"./files/')) ? ['// Files are read from ./files in the working directory.'] : []),
    `import { ${hasDialogs ? 'type Dialog, expect, type Page, test' : 'expect, test'} } from '@playwright/test';`,
    ...source.writeConstants(script, text),
    ...['', `test.use(${writeProfile(script.profile, text)});`, ''],
    `test(${text.quote(script.task.replace(/\s+/g, ' ').slice(0, 100))}, async ({ page }) => {`,
    ...source.indent(['test.setTimeout(120_000);', ...body]),
    '});',
    ...(hasDialogs
      ? source.writeDialogHelper({ page: ': Page', answers: ': { accept: boolean; text?: string }[]', dialog: ': Dialog' })
      : []),
    '',
  ].join('\n');
}

/** Only settings that differ from the browser's own, besides the viewport. */
function writeProfile(
  { width, height, deviceScaleFactor, mobile, touchPoints, userAgent, acceptLanguage }: DeviceProfile,
  { quote }: source.SourceText,
): string {
  const settings = [
    `viewport: { width: ${String(width)}, height: ${String(height)} }`,
    ...(deviceScaleFactor === 1 ? [] : [`deviceScaleFactor: ${String(deviceScaleFactor)}`]),
    ...(mobile ? ['isMobile: true'] : []),
    ...(touchPoints > 0 ? ['hasTouch: true'] : []),
    ...(userAgent === undefined ? [] : [`userAgent: ${quote(userAgent)}`]),
    ...(acceptLanguage === undefined ? [] : [`locale: ${quote(acceptLanguage.split(',', 1)[0] ?? '')}`]),
  ];
  return `{ ${settings.join(', ')} }`;
}

function writeAssertion({ assertion }: Script, { quote }: source.SourceText): readonly string[] {
  if (assertion === undefined) return ['// The navigation ended here, without having reached its goal.'];
  const page = source.pageName(assertion.tab);
  if (assertion.by === 'url') return [`await expect(${page}).toHaveURL(/${assertion.pattern}/);`];
  return [`await expect(${page}.locator(${quote(assertion.selector)}).first()).toBeAttached();`];
}

function writeAction(action: ScriptAction, page: string, text: source.SourceText): source.Code | undefined {
  if (action.kind === 'missing') return undefined;
  const { quote, value } = text;
  const find = (target: Target) => locate(target, page, text);
  switch (action.kind) {
    case 'goto':
      return { act: `${page}.goto(${quote(action.url)})` };
    case 'back':
      return { act: `${page}.goBack()` };
    case 'close':
      return { act: `${page}.close()` };
    case 'wait':
      return { act: `${page}.waitForTimeout(${String(action.ms)})` };
    case 'click':
      return { act: `${find(action.at)}.click(${writeClick(action)})` };
    case 'hover':
      return { act: `${find(action.at)}.hover()` };
    case 'fill': {
      const fill = `${find(action.at)}.fill(${value(action.value)})`;
      return action.submit ? { before: [`await ${fill};`], act: `${find(action.at)}.press('Enter')` } : { act: fill };
    }
    case 'check':
      // A click on a hidden control would wait until it is shown.
      return {
        act: `${find(action.at)}.${action.at.facts.isHidden ? `setChecked(${String(action.on)}, { force: true })` : `setChecked(${String(action.on)})`}`,
      };
    case 'drag':
      return { act: `${find(action.at)}.dragTo(${find(action.to)}, { steps: 5 })` };
    case 'press':
    case 'scroll':
      return writeInput(action, page, find);
    case 'select':
      return writeSelect(action, page, text);
    case 'upload':
      return writeUpload(action, page, text);
  }
}

function writeClick({ button, count, modifiers }: Extract<ScriptAction, { readonly kind: 'click' }>): string {
  const options = [
    ...(button === undefined || button === 'left' ? [] : [`button: '${button}'`]),
    ...(count === undefined || count === 1 ? [] : [`clickCount: ${String(count)}`]),
    ...(modifiers === undefined || modifiers.length === 0 ? [] : [`modifiers: [${modifiers.map((one) => `'${one}'`).join(', ')}]`]),
  ];
  return options.length === 0 ? '' : `{ ${options.join(', ')} }`;
}

function writeInput(
  action: Extract<ScriptAction, { readonly kind: 'press' | 'scroll' }>,
  page: string,
  find: (target: Target) => string,
): source.Code {
  if (action.kind === 'press') {
    const keys = JSON.stringify([...action.modifiers, action.key === ' ' ? 'Space' : action.key].join('+'));
    return { act: action.at === undefined ? `${page}.keyboard.press(${keys})` : `${find(action.at)}.press(${keys})` };
  }
  const { at, point, dir, by } = action;
  const before = at === undefined ? `await ${page}.mouse.move(${point.join(', ')});` : `await ${find(at)}.hover();`;
  return { before: [before], act: `${page}.mouse.wheel(${source.wheelBy(dir, by).join(', ')})` };
}

function writeSelect(
  { at, values }: Extract<ScriptAction, { readonly kind: 'select' }>,
  page: string,
  text: source.SourceText,
): source.Code {
  const list = locate(at, page, text);
  if (at.facts.tag === 'select') return { act: `${list}.selectOption([${values.map(text.value).join(', ')}])` };
  const clicks = values.map(
    (value) => `${scopeOf(at, page, text)}.getByRole('option', { name: ${text.value(value)}, exact: true }).click()`,
  );
  const before = [...(at.facts.isOpen ? [] : [`${list}.click()`]), ...clicks];
  return { before: before.slice(0, -1).map((one) => `await ${one};`), act: before.at(-1) ?? `${list}.click()` };
}

function writeUpload(
  { at, files }: Extract<ScriptAction, { readonly kind: 'upload' }>,
  page: string,
  text: source.SourceText,
): source.Code {
  const paths = `[${files.map((name) => text.quote(`./files/${name}`)).join(', ')}]`;
  const element = locate(at, page, text);
  if (at.facts.isFileInput) return { act: `${element}.setInputFiles(${paths})` };
  return { act: `Promise.all([${page}.waitForEvent('filechooser'), ${element}.click()]).then(([chooser]) => chooser.setFiles(${paths}))` };
}

function scopeOf({ frames }: Target, page: string, text: source.SourceText): string {
  return frames.reduce((scope, { locators }) => {
    const [first] = locators;
    const parts = first?.by === 'css' ? first.parts : [];
    const outer = parts.slice(0, -1).map((part) => `.locator(${text.quote(part)})`);
    return `${scope}${outer.join('')}.frameLocator(${text.quote(parts.at(-1) ?? 'iframe')})`;
  }, page);
}

function locate(target: Target, page: string, text: source.SourceText): string {
  return `${scopeOf(target, page, text)}${writeLocator(target.place, text)}`;
}

const METHODS = {
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt: 'getByAltText',
  title: 'getByTitle',
  text: 'getByText',
} as const;

function writeLocator({ locators }: Place, { quote }: source.SourceText): string {
  const [locator] = locators;
  if (locator === undefined) return '';
  switch (locator.by) {
    case 'testId':
      if (locator.attribute === 'data-testid') return `.getByTestId(${quote(locator.value)})`;
      return `.locator(${quote(source.attributeSelector(locator.attribute, locator.value))})`;
    case 'role':
      return `.getByRole(${quote(locator.role)}, { name: ${quote(locator.name)}, exact: true })`;
    case 'css':
      return locator.parts.map((part) => `.locator(${quote(part)})`).join('');
    default:
      return `.${METHODS[locator.by]}(${quote(locator.text)}, { exact: true })`;
  }
}
