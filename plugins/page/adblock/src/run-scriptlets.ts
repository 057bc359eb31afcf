import { addSourceUrl, type InterceptedRequest, type Page } from '@platen/kernel';
import type { Blocker } from './blocker.js';

/** Brings the scripts that lists have for a site into its documents, before their own. */
export interface ScriptletRunner {
  /** To be awaited before a document's request goes on: its scripts are there when it is. */
  prepare(request: InterceptedRequest): Promise<void>;
}

/** The target's own scripts are there from the start. */
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
      // What is said to a target that is itself on its way to a document is heard when it is there: nobody may wait for that.
      const [own, others] = [
        targets.filter(({ targetId }) => targetId === frameId),
        targets.filter(({ targetId }) => targetId !== frameId),
      ];
      for (const late of own.flatMap((target) => target.inject(source))) late.catch(() => undefined);
      // A target that is gone has no document to wait for.
      await Promise.allSettled(others.flatMap((target) => target.inject(source)));
    },
  };
}

/** Each script runs whatever becomes of the others, and in the documents of that host alone. */
function guarded(hostname: string, scripts: readonly string[]): string {
  const each = scripts.map((script) => `try { ${script} } catch {}`).join('\n');
  return addSourceUrl(`if (location.hostname === ${JSON.stringify(hostname)}) {\n${each}\n}`);
}
