import type { TargetSession } from './contract.js';

/** Runs source text in every document of a target to come and in the present one, or in a worker, before their first statement. */
export function injectScript(target: TargetSession, source: string): readonly Promise<unknown>[] {
  if (target.kind !== 'page' && target.kind !== 'iframe') return [target.send('Runtime.evaluate', { expression: source })];
  // Without its domain enabled the page takes the script and never runs it.
  return [target.send('Page.enable'), target.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true })];
}
