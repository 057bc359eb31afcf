import { addSourceUrl, type InterceptedRequest, type Page } from '@platen/kernel';
import type { Blocker } from './blocker.js';

/** Injects the scriptlets that lists define for a site into its documents, before the page's own scripts. */
export interface ScriptletRunner {
  /** Await this before the document request continues, so that the scripts are registered when the document loads. */
  prepare(request: InterceptedRequest): Promise<void>;
}

/** The scripts for the target's own document are registered from the start. */
export function openScriptletRunner(page: Page, { url, blocker }: { readonly url: string; readonly blocker: Blocker }): ScriptletRunner {
  const sources = new Map<string, string>();
  const add = (at: URL): string | undefined => {
    const scripts = sources.has(at.hostname) ? [] : blocker.scriptsFor(at.href);
    if (scripts.length === 0) return undefined;
    const source = guarded(at.hostname, scripts);
    sources.set(at.hostname, source);
    return source;
  };
  if (/^https?:/.test(url) && !blocker.exempts(url)) add(new URL(url));
  page.targets.configure((target) =>
    target.kind === 'page' || target.kind === 'iframe' ? [...sources.values()].flatMap((source) => target.inject(source)) : [],
  );
  return {
    async prepare({ url: coming, frameId }) {
      const source = add(coming);
      if (source === undefined) return;
      const targets = page.targets.all.filter(({ kind }) => kind === 'page' || kind === 'iframe');
      // A target that is loading a document handles commands only after the load. Waiting here would be a deadlock.
      const [own, others] = [
        targets.filter(({ targetId }) => targetId === frameId),
        targets.filter(({ targetId }) => targetId !== frameId),
      ];
      for (const late of own.flatMap((target) => target.inject(source))) late.catch(() => undefined);
      // A closed target has no document to wait for.
      await Promise.allSettled(others.flatMap((target) => target.inject(source)));
    },
  };
}

/** Each script runs even if another one throws, and only in documents of that host. */
function guarded(hostname: string, scripts: readonly string[]): string {
  const each = scripts.map((script) => `try { ${script} } catch {}`).join('\n');
  return addSourceUrl(`if (location.hostname === ${JSON.stringify(hostname)}) {\n${each}\n}`);
}
