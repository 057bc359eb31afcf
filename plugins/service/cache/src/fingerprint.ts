import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { findBrowsers, type ServerApi } from '@platen/kernel';
import type { FlagValues } from '@platen/server';

/** Flags that say where, when and for whom is rendered, and not what comes of it. Which plugins there are is told by the plugins. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'server',
  'config',
  'plugins',
  'disable-plugins',
  'plugin',
  'log-level',
  'help',
  'version',
  'browser-concurrency',
  'browser-no-sandbox',
]);

/** What of the server decides what a plan is rendered into: versions, plugins, flags and the browser's file. Hex. */
export async function takeFingerprint({ version, plugins }: ServerApi['kernel'], flags: FlagValues): Promise<string> {
  const secret = new Set(
    plugins.flatMap(({ definition }) =>
      Object.entries(definition.flags ?? {}).flatMap(([name, fragment]) => (fragment['x-secret'] === true ? [name] : [])),
    ),
  );
  const hasEffect = (name: string) => !WITHOUT_EFFECT.has(name) && !name.startsWith('server-') && !secret.has(name);
  const parts = {
    version,
    plugins: plugins.map((plugin) => `${plugin.definition.name}@${plugin.version}`).sort(),
    flags: Object.entries(flags)
      .filter(([name]) => hasEffect(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    browsers: await describeBrowsers(flags['browser-path']),
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A browser's file changes when it is updated; to ask it for its version, it would have to be started. */
async function describeBrowsers(browserPath: unknown): Promise<readonly unknown[]> {
  const { shell, full } = await findBrowsers(typeof browserPath === 'string' ? { browserPath } : {});
  return await Promise.all(
    [shell, full].map(async (browser) => {
      if (browser === undefined) return null;
      const found = await stat(browser.path).catch(() => undefined);
      return [browser.path, found?.size, found?.mtimeMs];
    }),
  );
}

/** The name of a plan's entry. */
export function toEntryKey(cacheKey: string, fingerprint: string): string {
  return createHash('sha256').update(`${cacheKey} ${fingerprint}`).digest('hex');
}
