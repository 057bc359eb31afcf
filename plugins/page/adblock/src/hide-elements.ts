import { addSourceUrl, type Page, type TargetSession } from '@platen/kernel';
import type { Blocker, CosmeticQuery } from './blocker.js';
import { watchDocument, type DomChanges } from './watch-document.js';

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
    if (target.kind !== 'page' && target.kind !== 'iframe') return [];
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
