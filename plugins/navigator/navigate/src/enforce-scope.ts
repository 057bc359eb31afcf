import { InterceptStage, type RenderContext, type TargetSession, withoutUserinfo } from '@platen/kernel';
import type { UrlScope } from '@platen/lib-actions';

export interface ScopeGuard {
  /** URLs that pages were not allowed to load since the last call. */
  takeRefused(): readonly string[];
  /** Stops refusing. */
  stop(): void;
}

/**
 * Refuses documents outside the scope in the page and its popups, with every redirect. A popup that has shown no document is closed. Frames
 * and subresources are not limited.
 */
export function enforceScope({ page, intercept, log }: Pick<RenderContext, 'page' | 'intercept' | 'log'>, scope: UrlScope): ScopeGuard {
  const refused: string[] = [];
  const shows = new WeakSet<TargetSession>();
  page.targets.configure((target) => {
    if (target.kind !== 'page') return [];
    target.on('Page.frameNavigated', ({ frame: { parentId, url } }) => {
      if (parentId === undefined && /^https?:/.test(url)) shows.add(target);
    });
    return [];
  });
  const stop = intercept.use({
    name: 'navigate',
    stage: InterceptStage.scope,
    request({ url, resourceType, target, frameId }) {
      // The main frame of a page has the id of its target.
      if (resourceType !== 'Document' || target.kind !== 'page' || frameId !== target.targetId) return undefined;
      if (scope.allows(url.href)) return undefined;
      log.info({ host: url.host }, 'a navigation out of the scope of the navigator was refused');
      refused.push(withoutUserinfo(url.href));
      if (!target.primary && !shows.has(target)) target.send('Page.close').catch(() => undefined);
      // BlockedByClient would replace the document by an error page.
      return { fail: 'Aborted' };
    },
  });
  return { takeRefused: () => refused.splice(0), stop };
}
