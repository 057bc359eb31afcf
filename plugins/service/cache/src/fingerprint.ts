import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { findBrowsers, type ServerApi } from '@platen/kernel';
import type { FlagValues, ReadDigests } from '@platen/server';

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

/** What of the server decides what plans are rendered into, at one time: another object as soon as that is something else. */
export interface Standing {
  readonly fingerprint: string;
}

/** The standing of each moment: what was fixed at the start, and what plugins have read since. */
export function followStanding(read: () => { readonly fingerprint: string; readonly digests: ReadDigests }): () => Standing {
  let text = '';
  let standing: Standing = { fingerprint: '' };
  return () => {
    const { fingerprint, digests } = read();
    const now = JSON.stringify([fingerprint, digests]);
    if (now !== text) {
      text = now;
      standing = { fingerprint: createHash('sha256').update(now).digest('hex') };
    }
    return standing;
  };
}

/** Those of the new values that a running server takes over; the others stay what they were until a restart. */
export function valuesInForce(former: FlagValues, next: FlagValues, fragments: ServerApi['flagFragments']): FlagValues {
  const names = Object.keys({ ...former, ...next });
  const given = names.map((name) => [name, (fragments[name]?.['x-reloads'] === true ? next : former)[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export interface FingerprintParts {
  readonly flags: FlagValues;
  /** What `digestFiles` said at the start: plugins read their files then, and once. */
  readonly files: readonly unknown[];
  /** What `describeBrowsers` said at the start: the browser that runs is that one, also where its file is replaced meanwhile. */
  readonly browsers: readonly unknown[];
}

/** What of the server decides what a plan is rendered into: versions, plugins, flags, files that flags name, and the browser's. Hex. */
export function takeFingerprint({ version, plugins }: ServerApi['kernel'], { flags, files, browsers }: FingerprintParts): string {
  const parts = {
    version,
    plugins: plugins.map((plugin) => `${plugin.definition.name}@${plugin.version}`).sort(),
    flags: effectiveFlags(plugins, flags),
    files,
    browsers,
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

type LoadedPlugins = ServerApi['kernel']['plugins'];

function effectiveFlags(plugins: LoadedPlugins, flags: FlagValues): readonly (readonly [string, unknown])[] {
  const secret = new Set(
    plugins.flatMap(({ definition }) =>
      Object.entries(definition.flags ?? {}).flatMap(([name, fragment]) => (fragment['x-secret'] === true ? [name] : [])),
    ),
  );
  const hasEffect = (name: string) => !WITHOUT_EFFECT.has(name) && !name.startsWith('server-') && !secret.has(name);
  return Object.entries(flags)
    .filter(([name]) => hasEffect(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What the files hold that flags name: a storage state, a list of filters. Which text is a path no flag says; what is no file has no digest. */
export async function digestFiles({ plugins }: ServerApi['kernel'], flags: FlagValues): Promise<readonly unknown[]> {
  const named = effectiveFlags(plugins, flags).flatMap(([name, value]) => {
    // Told apart by its size and time: it is large.
    if (name === 'browser-path') return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => typeof one === 'string').map((path) => [name, path] as const);
  });
  return await Promise.all(named.map(async ([name, path]) => [name, await digestFile(path)]));
}

async function digestFile(path: string): Promise<string | null> {
  // A null byte or a name that is too long is no path at all.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return null;
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** A browser's file changes when it is updated; to ask it for its version, it would have to be started. */
export async function describeBrowsers({ 'browser-path': browserPath }: FlagValues): Promise<readonly unknown[]> {
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
