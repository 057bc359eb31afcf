import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileIdentity, findBrowsers, type ServerApi } from '@platen/kernel';
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
export interface CacheGeneration {
  readonly fingerprint: string;
}

/** What may be something else from one request to the next. */
export interface CacheGenerationParts {
  readonly fingerprint: string;
  /** What plugins have read since the start. */
  readonly digests: ReadDigests;
  /** By path, what the files are of which browsers run: one that is replaced counts once a browser is started of it. */
  readonly browsers: ReadonlyMap<string, string>;
}

/** The standing of each moment. */
export function trackGeneration(read: () => CacheGenerationParts): () => CacheGeneration {
  let text = '';
  let generation: CacheGeneration = { fingerprint: '' };
  return () => {
    const { fingerprint, digests, browsers } = read();
    const now = JSON.stringify([fingerprint, digests, [...browsers]]);
    if (now !== text) {
      text = now;
      generation = { fingerprint: createHash('sha256').update(now).digest('hex') };
    }
    return generation;
  };
}

/** Those of the new values that a running server takes over; the others stay what they were until a restart. */
export function activeFlagValues(former: FlagValues, next: FlagValues, fragments: ServerApi['flagFragments']): FlagValues {
  const names = Object.keys({ ...former, ...next });
  const given = names.map((name) => [name, (fragments[name]?.['x-reloads'] === true ? next : former)[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export interface FingerprintParts {
  readonly flags: FlagValues;
  /** What `digestFiles` said at the start: plugins read their files then, and once. */
  readonly files: readonly unknown[];
}

/** What of the server decides what a plan is rendered into, browsers aside: versions, plugins, flags, files that flags name. Hex. */
export function takeFingerprint({ version, plugins }: ServerApi['kernel'], { flags, files }: FingerprintParts): string {
  const parts = {
    version,
    plugins: plugins.map((plugin) => `${plugin.definition.name}@${plugin.version}`).sort(),
    flags: effectiveFlags(plugins, flags),
    files,
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

/** What the browsers' files are that will be started, by path: to be asked for its version, a browser would have to be started now. */
export async function describeBrowsers({ 'browser-path': browserPath }: FlagValues): Promise<ReadonlyMap<string, string>> {
  const { shell, full } = await findBrowsers(typeof browserPath === 'string' ? { browserPath } : {});
  const paths = [shell, full].flatMap((browser) => (browser === undefined ? [] : [browser.path]));
  return new Map(await Promise.all(paths.map(async (path) => [path, await fileIdentity(path)] as const)));
}

/** The name of a plan's entry. */
export function toEntryKey(cacheKey: string, fingerprint: string): string {
  return createHash('sha256').update(`${cacheKey} ${fingerprint}`).digest('hex');
}
