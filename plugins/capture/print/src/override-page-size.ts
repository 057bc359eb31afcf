import type { Page } from '@platen/kernel';

/**
 * Overrides the page's `@page { size }` while it is printed. Otherwise Chromium turns the paper to the orientation that the page sets,
 * whatever `preferCSSPageSize` is. The page's rules are restored afterwards.
 */
export function overridePageSize(page: Page): Promise<void> {
  return page.evaluate(fixInPage);
}

/** Runs in the page; must not capture outer variables. The page's own listeners have run when this one does. */
function fixInPage(): void {
  /**
   * Rules whose `size` is important. A named page is more specific than the rule of this file, so it yields only where its `size` is not
   * important. Cross-origin style sheets cannot be read.
   */
  const importantRules = (sheet: CSSStyleSheet | CSSGroupingRule): CSSPageRule[] => {
    let rules: readonly CSSRule[] = [];
    try {
      rules = Array.from(sheet.cssRules);
    } catch {
      return [];
    }
    return rules.flatMap((rule) => {
      if (rule instanceof CSSPageRule) return rule.style.getPropertyPriority('size') === '' ? [] : [rule];
      if (rule instanceof CSSImportRule) return rule.styleSheet === null ? [] : importantRules(rule.styleSheet);
      return rule instanceof CSSGroupingRule ? importantRules(rule) : [];
    });
  };
  const setPriority = (rules: readonly CSSPageRule[], priority: '' | 'important'): void => {
    for (const { style } of rules) style.setProperty('size', style.getPropertyValue('size'), priority);
  };
  const ours = new CSSStyleSheet();
  ours.replaceSync('@page { size: auto !important }');
  let yielding: readonly CSSPageRule[] = [];
  addEventListener('beforeprint', () => {
    yielding = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(importantRules);
    setPriority(yielding, '');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ours];
  });
  addEventListener('afterprint', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== ours);
    setPriority(yielding, 'important');
  });
}
