import { type Page, type Params, PlatenError } from '@platen/kernel';
import { MAX_SIDE } from './params.js';

type PrintOptions = NonNullable<Params<'Page.printToPDF'>[0]>;

/** One CSS pixel, in inches. */
const PRECISION = 1 / 96;

/**
 * Prepares a page that is printed as one PDF page: it has no forced page breaks then, and lengths in `vh`, which would grow with the paper,
 * are those in the window. Returns what reverts it.
 */
export async function restyleForOnePage(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(restyleInPage);
  return () => page.evaluate(restoreInPage);
}

/**
 * Finds the least paper height at which a restyled page is one PDF page, by prints without pages, which lay the page out and draw nothing.
 */
export async function fitToOnePage<T extends PrintOptions>(page: Page, options: T): Promise<T> {
  let [high, low] = [MAX_SIDE, (options.marginTop ?? 0) + (options.marginBottom ?? 0) + PRECISION];
  if (!(await fits(page, { ...options, paperHeight: high }))) {
    throw new PlatenError(
      'capture_too_large',
      `the content does not fit on one page of ${String(MAX_SIDE)} inches: omit "pdf_single_page", or request a smaller "pdf_scale"`,
    );
  }
  while (high - low > PRECISION) {
    const middle = (high + low) / 2;
    if (await fits(page, { ...options, paperHeight: middle })) high = middle;
    else low = middle;
  }
  return { ...options, paperHeight: high };
}

/** Whether there is no second PDF page. */
async function fits(page: Page, options: PrintOptions): Promise<boolean> {
  try {
    const { stream } = await page.send(
      'Page.printToPDF',
      { ...options, pageRanges: '2', transferMode: 'ReturnAsStream' },
      { timeoutMs: Infinity },
    );
    if (stream !== undefined) await page.send('IO.close', { handle: stream });
    return false;
  } catch (error) {
    if (isBeyondLastPage(error)) return true;
    throw error;
  }
}

/** Chromium's text for page ranges without any page. */
export function isBeyondLastPage(error: unknown): boolean {
  return String(error).includes('Page range exceeds page count');
}

/** Runs in the page; must not capture outer variables. */
function restyleInPage(): void {
  const restorers: (() => void)[] = [];
  const pinned = (value: string) =>
    value.replace(
      /(-?(?:\d+(?:\.\d*)?|\.\d+))[sld]?vh\b/gi,
      (_whole, length: string) => `${String((Number(length) * innerHeight) / 100)}px`,
    );
  const pin = (style: CSSStyleDeclaration): void => {
    for (const name of Array.from(style)) {
      const [value, priority] = [style.getPropertyValue(name), style.getPropertyPriority(name)];
      if (!/vh/i.test(value) || pinned(value) === value) continue;
      style.setProperty(name, pinned(value), priority);
      restorers.push(() => {
        style.setProperty(name, value, priority);
      });
    }
  };
  const pinRules = (sheet: CSSStyleSheet | CSSGroupingRule): void => {
    let rules: readonly CSSRule[] = [];
    try {
      rules = Array.from(sheet.cssRules);
    } catch {
      // A cross-origin style sheet.
    }
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) pin(rule.style);
      if (rule instanceof CSSImportRule && rule.styleSheet !== null) pinRules(rule.styleSheet);
      if (rule instanceof CSSGroupingRule) pinRules(rule);
    }
  };
  const ours = new CSSStyleSheet();
  ours.replaceSync(`
    :root { height: auto !important; min-height: 0 !important; }
    body { height: auto !important; }
    *, ::before, ::after { break-before: auto !important; break-after: auto !important; page: auto !important; }`);
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) pinRules(sheet);
  for (const element of document.querySelectorAll<HTMLElement>('[style*="vh" i]')) pin(element.style);
  document.adoptedStyleSheets.push(ours);
  restorers.push(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== ours);
  });
  Object.assign(globalThis, { platenRestorers: restorers });
}

/** Runs in the page; must not capture outer variables. */
function restoreInPage(): void {
  // Set above.
  const { platenRestorers = [] } = globalThis as { readonly platenRestorers?: readonly (() => void)[] };
  for (const restore of [...platenRestorers].reverse()) restore();
}
