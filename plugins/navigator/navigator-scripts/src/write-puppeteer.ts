import type { DeviceProfile } from '@platen/kernel';
import { writeHelpers } from './puppeteer-helpers.js';
import type { Locator, Place, Script, ScriptAction, Target } from './script.js';
import * as source from './source-text.js';
import type { Redact } from './url-pattern.js';

/** A program for Puppeteer that replays the navigation. */
export function writePuppeteer(script: Script, redact: Redact): string {
  const text = source.createSourceText(redact);
  const { data, profile } = script;
  const dialect: source.Dialect = {
    write: ({ action, tab }) => writeAction(action, source.pageName(tab), { text, data }),
    popup: (page) => `new Promise((resolve) => ${page}.once('popup', resolve))`,
    load: (page) => `${page}.waitForNavigation()`,
    closed: (page) => `new Promise((resolve) => ${page}.once('close', resolve))`,
    arrive: (page, pattern) => `await waitForUrl(${page}, /${pattern}/);`,
  };
  const steps = script.steps.flatMap((step) => source.writeStep(step, dialect, text));
  const roots = source.usesClosedShadow(script)
    ? ['await page.evaluateOnNewDocument(() => {', ...source.indent(source.OPEN_CLOSED_ROOTS), '});']
    : [];
  const body = ['const page = await browser.newPage();', ...roots, ...steps, ...writeAssertion(script, text)];
  return [
    text.comment('Replays a navigation without a model: npm install puppeteer && node FILE'),
    text.comment(script.task),
    ...(steps.some((line) => line.includes('"./files/')) ? ['// Files are read from ./files in the working directory.'] : []),
    "import puppeteer from 'puppeteer';",
    ...source.writeConstants(script, text),
    ...['', `const browser = await puppeteer.launch(${writeLaunch(profile, text)});`, 'try {'],
    ...source.indent(body),
    ...['} finally {', '  await browser.close();', '}'],
    ...usedHelpers(body),
    '',
  ].join('\n');
}

/** Only settings that differ from the browser's own, besides the viewport. They hold for popups, too. */
function writeLaunch(
  { width, height, deviceScaleFactor, mobile, touchPoints, userAgent, acceptLanguage }: DeviceProfile,
  { quote }: source.SourceText,
): string {
  const viewport = [
    ...[`width: ${String(width)}`, `height: ${String(height)}`],
    ...(deviceScaleFactor === 1 ? [] : [`deviceScaleFactor: ${String(deviceScaleFactor)}`]),
    ...(mobile ? ['isMobile: true'] : []),
    ...(touchPoints > 0 ? ['hasTouch: true'] : []),
  ];
  const switches = [
    ...(userAgent === undefined ? [] : [quote(`--user-agent=${userAgent}`)]),
    ...(acceptLanguage === undefined ? [] : [quote(`--accept-lang=${acceptLanguage}`)]),
  ];
  return `{ defaultViewport: { ${viewport.join(', ')} }${switches.length === 0 ? '' : `, args: [${switches.join(', ')}]`} }`;
}

function usedHelpers(body: readonly string[]): readonly string[] {
  const dialogs = body.some((line) => line.includes('answerDialogs('))
    ? source.writeDialogHelper({ page: '', answers: '', dialog: '' })
    : [];
  return [...dialogs, ...writeHelpers(body.join('\n'))];
}

function writeAssertion({ assertion }: Script, { quote }: source.SourceText): readonly string[] {
  if (assertion === undefined) return ['// The navigation ended here, without having reached its goal.'];
  const page = source.pageName(assertion.tab);
  const wait =
    assertion.by === 'url' ? `waitForUrl(${page}, /${assertion.pattern}/)` : `${page}.waitForSelector(${quote(assertion.selector)})`;
  return ['// The goal: fails if it is not reached in time.', `await ${wait};`];
}

interface Around {
  readonly text: source.SourceText;
  readonly data: Script['data'];
}

function writeAction(action: ScriptAction, page: string, around: Around): source.Code | undefined {
  if (action.kind === 'missing') return undefined;
  const { quote, value } = around.text;
  const find = (target: Target) => locate(target, page, around.text);
  switch (action.kind) {
    case 'goto':
      return { act: `${page}.goto(${quote(action.url)})` };
    case 'back':
      return { act: `${page}.goBack()` };
    case 'close':
      return { act: `${page}.close()` };
    case 'wait':
      return { act: `new Promise((resolve) => setTimeout(resolve, ${String(action.ms)}))` };
    case 'click':
      return writeClick(action, page, find(action.at));
    case 'hover':
      return { act: `${find(action.at)}.hover()` };
    case 'fill': {
      const fill = `${find(action.at)}.fill(${value(action.value)})`;
      return action.submit ? { before: [`await ${fill};`], act: `${page}.keyboard.press('Enter')` } : { act: fill };
    }
    case 'check':
      return { act: `setChecked(${find(action.at)}, ${String(action.on)})` };
    case 'drag':
      return { act: `drag(${page}, ${find(action.at)}, ${find(action.to)})` };
    case 'press':
    case 'scroll':
      return writeInput(action, page, find);
    case 'select':
      return writeSelect(action, page, around);
    case 'upload':
      return writeUpload(action, page, around);
  }
}

function writeClick(
  { button, count, modifiers = [] }: Extract<ScriptAction, { readonly kind: 'click' }>,
  page: string,
  element: string,
): source.Code {
  const options = [
    ...(button === undefined || button === 'left' ? [] : [`button: '${button}'`]),
    ...(count === undefined || count === 1 ? [] : [`count: ${String(count)}`]),
  ];
  const click = `${element}.click(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`;
  if (modifiers.length === 0) return { act: click };
  const names = modifiers.map((one) => `'${one}'`).join(', ');
  return { act: `holding(${page}, [${names}], () => ${click})` };
}

function writeInput(
  action: Extract<ScriptAction, { readonly kind: 'press' | 'scroll' }>,
  page: string,
  find: (target: Target) => string,
): source.Code {
  if (action.kind === 'scroll') {
    const { at, point, dir, by } = action;
    const [deltaX, deltaY] = source.wheelBy(dir, by);
    const before = at === undefined ? `await ${page}.mouse.move(${point.join(', ')});` : `await ${find(at)}.hover();`;
    return { before: [before], act: `${page}.mouse.wheel({ deltaX: ${String(deltaX)}, deltaY: ${String(deltaY)} })` };
  }
  const { at, modifiers, key } = action;
  const before = at === undefined ? [] : [`await (await ${find(at)}.waitHandle()).focus();`];
  const press = `${page}.keyboard.press(${JSON.stringify(key === ' ' ? 'Space' : key)})`;
  const names = modifiers.map((one) => `'${one}'`).join(', ');
  return { before, act: modifiers.length === 0 ? press : `holding(${page}, [${names}], () => ${press})` };
}

function writeSelect(
  { at, values }: Extract<ScriptAction, { readonly kind: 'select' }>,
  page: string,
  { text, data }: Around,
): source.Code {
  const list = locate(at, page, text);
  if (at.facts.tag === 'select') return { act: `selectOptions(${list}, [${values.map(text.value).join(', ')}])` };
  const clicks = values.map((value) => {
    const name = value.from === 'text' ? value.text : (data.get(value.name) ?? '');
    const option = { locators: [{ by: 'role', role: 'option', name } as const], shadow: 'none' } as const;
    return `${locate({ ...at, place: option }, page, text)}.click()`;
  });
  const all = [...(at.facts.isOpen ? [] : [`${list}.click()`]), ...clicks];
  return { before: all.slice(0, -1).map((one) => `await ${one};`), act: all.at(-1) ?? `${list}.click()` };
}

function writeUpload({ at, files }: Extract<ScriptAction, { readonly kind: 'upload' }>, page: string, { text }: Around): source.Code {
  const paths = files.map((name) => text.quote(`./files/${name}`)).join(', ');
  const element = locate(at, page, text);
  if (at.facts.isFileInput) return { act: `upload(${element}, [${paths}])` };
  return { act: `Promise.all([${page}.waitForFileChooser(), ${element}.click()]).then(([chooser]) => chooser.accept([${paths}]))` };
}

function locate({ frames, place }: Target, page: string, { quote }: source.SourceText): string {
  const scope = frames.reduce((outer, frame) => `await frameOf(${outer}, ${quote(selectorOf(frame))})`, page);
  return `${frames.length === 0 ? page : `(${scope})`}.locator(${quote(selectorOf(place))})`;
}

/** The selector of the first locator that can be written. */
function selectorOf({ locators, shadow }: Place): string {
  for (const locator of locators) {
    const selector = writeSelector(locator);
    if (selector !== undefined)
      return shadow === 'none' || selector.startsWith('::-p-') || selector.includes(' >>>> ') ? selector : `>>> ${selector}`;
  }
  return '';
}

function writeSelector(locator: Locator): string | undefined {
  switch (locator.by) {
    case 'testId':
      return source.attributeSelector(locator.attribute, locator.value);
    case 'role':
      return ariaSelector(locator.name, `[role="${locator.role}"]`);
    case 'label':
      return ariaSelector(locator.text, '');
    case 'css':
      return locator.parts.join(' >>>> ');
    case 'text': {
      const text = quoteArgument(locator.text);
      return text === undefined ? undefined : `::-p-text(${text})`;
    }
    default:
      return source.attributeSelector(locator.by, locator.text);
  }
}

function ariaSelector(name: string, role: string): string | undefined {
  const text = quoteArgument(name);
  return text === undefined ? undefined : `::-p-aria([name=${text}]${role})`;
}

/** Arguments of Puppeteer's own selectors have no escapes that survive its parser. */
function quoteArgument(text: string): string | undefined {
  if (text.includes('\\') || (text.includes('"') && text.includes("'"))) return undefined;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
