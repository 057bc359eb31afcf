import { addSourceUrl, type Page, type TargetSession } from '@platen/kernel';
import type { Blocker, CosmeticQuery } from './blocker.js';

/** An isolated world in every document, invisible to the page's scripts. */
const WORLD = 'platen-adblock';
const NEXT = addSourceUrl(`function (styles) {
  globalThis.platenWatch ??= (${watchDocument.toString()})();
  return globalThis.platenWatch?.(styles) ?? null;
}`);

/** Documents in which elements are hidden. */
export interface ElementHider {
  /** Resolves once the elements that the current document loaded with are hidden. */
  readonly settled: Promise<void>;
}

/**
 * Hides elements in all frames of all pages of the render, including elements added later. In each document a pending call waits for
 * changes. Events would need the Runtime domain, which pages can detect.
 */
export function hideElements(page: Page, blocker: Blocker): ElementHider {
  let settled = Promise.resolve();
  page.targets.configure((target) => {
    if (!target.hasDocuments) return [];
    target.on('Page.frameNavigated', ({ frame }) => {
      const settling = new Promise<void>((resolve) => {
        // The document may disappear at any time; then there is nothing left to hide.
        follow({ target, frameId: frame.id, blocker, settle: resolve })
          .catch(() => undefined)
          .finally(resolve);
      });
      if (frame.id === page.mainFrameId) settled = settling;
    });
    return [target.send('Page.enable')];
  });
  return {
    get settled() {
      return settled;
    },
  };
}

interface Followed {
  readonly target: TargetSession;
  readonly frameId: string;
  readonly blocker: Blocker;
  /** Resolves once the first styles have been sent: later commands to the page run after them. */
  readonly settle: () => void;
}

async function follow({ target, frameId, blocker, settle }: Followed): Promise<void> {
  const { executionContextId } = await target.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  const next = async (styles: string): Promise<DomChanges | null> => {
    const call = { functionDeclaration: NEXT, arguments: [{ value: styles }], executionContextId, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await target.send('Runtime.callFunctionOn', call, { timeoutMs: Infinity });
    // Returned by value from the function above.
    return exceptionDetails ? null : (result.value as DomChanges | null);
  };
  let seen = await next('');
  for (let first = true; seen !== null; first = false) {
    const coming = next(stylesFor({ ...seen, first }, blocker));
    if (first) settle();
    seen = await coming;
  }
}

function stylesFor(look: CosmeticQuery & DomChanges, blocker: Blocker): string {
  return blocker.exempts(look.top) ? '' : blocker.stylesFor(look);
}

/** Changes of a document since the last query. */
interface DomChanges {
  readonly url: string;
  /** The URL of the top-level document, or its origin if that is cross-site. */
  readonly top: string;
  readonly classes: readonly string[];
  readonly ids: readonly string[];
  readonly hrefs: readonly string[];
}

/**
 * Runs in an isolated world in a document, as source text. Each call adds the given style rules and resolves with the next changes; the
 * first call resolves immediately. Resolves with undefined for a document without a site.
 */
// eslint-disable-next-line max-lines-per-function -- it goes into pages as text, and so refers to nothing outside of itself
function watchDocument(): ((styles: string) => Promise<DomChanges>) | undefined {
  const MOST_TOKENS = 50_000;
  const urlOf = (at: Window): string => {
    try {
      return /^https?:/.test(at.location.href) || at.parent === at ? at.location.href : urlOf(at.parent);
    } catch {
      return '';
    }
  };
  const url = urlOf(window);
  if (!/^https?:/.test(url)) return undefined;
  const top = window.top === window ? url : `${[...location.ancestorOrigins].at(-1) ?? ''}/`;

  const sheet = new CSSStyleSheet();
  const insert = (rule: string): boolean => {
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
      return true;
    } catch {
      return false;
    }
  };
  // A page that assigns its own list removes this style sheet.
  const adopt = (): void => {
    if (sheet.cssRules.length > 0 && !document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  };
  const hide = (styles: string): void => {
    for (const rule of styles.split(/(?<=\})\s*\n+/)) {
      // One selector that this browser does not support invalidates the whole selector list.
      if (rule.trim() === '' || insert(rule)) continue;
      const [selectors = '', body = ''] = rule.split(/\s*(?=\{[^{]*$)/);
      for (const selector of selectors.split(/,\n/)) insert(`${selector} ${body}`);
    }
    adopt();
  };

  const known = new Set<string>();
  const waiting: Element[] = [];
  let first = true;
  let wake: (() => void) | undefined;
  const fresh = (kind: string, values: Iterable<string>): string[] =>
    [...values].filter((value) => {
      const token = `${kind}${value}`;
      if (value === '' || known.has(token) || known.size > MOST_TOKENS) return false;
      known.add(token);
      return true;
    });
  const take = (): DomChanges => {
    const elements = waiting.splice(0);
    return {
      url,
      top,
      classes: elements.flatMap((element) => fresh('.', element.classList)),
      ids: elements.flatMap((element) => fresh('#', [element.id])),
      hrefs: elements.flatMap((element) => fresh('=', [element.getAttribute('href') ?? ''])),
    };
  };
  const NAMED = '[class],[id],[href]';
  new MutationObserver((records) => {
    adopt();
    for (const { target, addedNodes } of records) {
      if (target instanceof Element) waiting.push(target);
      for (const node of addedNodes) if (node instanceof Element) waiting.push(node, ...node.querySelectorAll(NAMED));
    }
    wake?.();
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'id', 'href'] });
  waiting.push(...document.querySelectorAll(NAMED));

  return (styles) => {
    hide(styles);
    return new Promise((resolve) => {
      wake = () => {
        const seen = take();
        if (!first && seen.classes.length + seen.ids.length + seen.hrefs.length === 0) return;
        first = false;
        wake = undefined;
        resolve(seen);
      };
      if (first || waiting.length > 0) wake();
    });
  };
}
