import { addSourceUrl, type Page, type TargetSession } from '@platen/kernel';
import type { Blocker, CosmeticQuery } from './blocker.js';
import { watchDocument, type DomChanges } from './watch-document.js';

/** A JavaScript world of its own in every document: the page's scripts do not see it. */
const WORLD = 'platen-adblock';
const NEXT = addSourceUrl(`function (styles) {
  globalThis.platenWatch ??= (${watchDocument.toString()})();
  return globalThis.platenWatch?.(styles) ?? null;
}`);

/** Documents that hide what the lists name. */
export interface ElementHider {
  /** Resolves once what the page's present document came with is hidden. */
  readonly settled: Promise<void>;
}

/**
 * Hides in all frames of all pages of the render, also what comes later. Each document is asked for what is new in it by a call that
 * lasts until there is something: that way the Runtime domain, which pages can tell, stays off.
 */
export function hideElements(page: Page, blocker: Blocker): ElementHider {
  let settled = Promise.resolve();
  page.targets.configure((target) => {
    if (target.kind !== 'page' && target.kind !== 'iframe') return [];
    target.on('Page.frameNavigated', ({ frame }) => {
      const settling = new Promise<void>((resolve) => {
        // The document may be gone at any time: then there is nothing more to hide in it.
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
  /** Said once the first styles are on their way: whatever is asked of the page afterwards finds them there. */
  readonly settle: () => void;
}

async function follow({ target, frameId, blocker, settle }: Followed): Promise<void> {
  const { executionContextId } = await target.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  const next = async (styles: string): Promise<DomChanges | null> => {
    const call = { functionDeclaration: NEXT, arguments: [{ value: styles }], executionContextId, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await target.send('Runtime.callFunctionOn', call, { timeoutMs: Infinity });
    // By value, from the function above.
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
