import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileIdentity, findBrowsers, type ServerApi } from '@platen/kernel';
import type { FlagValues, ReadDigests } from '@platen/server';

/** Flags that do not affect the result of a render. The enabled plugins are part of the fingerprint separately. */
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

/** The server configuration that affects results. A new object whenever it changes. */
export interface CacheGeneration {
  readonly fingerprint: string;
}

/** The parts that can change between requests. */
export interface CacheGenerationParts {
  readonly fingerprint: string;
  /** Digests of the lists that plugins have read. */
  readonly digests: ReadDigests;
  /** File identity of each browser executable by path. A replaced file counts once a browser starts from it. */
  readonly browsers: ReadonlyMap<string, string>;
}

/** Returns a function that computes the current generation. */
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

/** The values after a reload: flags without `x-reloads` keep their values until a restart. */
export function activeFlagValues(former: FlagValues, next: FlagValues, fragments: ServerApi['flagFragments']): FlagValues {
  const names = Object.keys({ ...former, ...next });
  const given = names.map((name) => [name, (fragments[name]?.['x-reloads'] === true ? next : former)[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export interface FingerprintParts {
  readonly flags: FlagValues;
  /** Result of `digestFiles` at startup, when plugins read their files. */
  readonly files: readonly unknown[];
}

/** SHA-256 (hex) of versions, plugins, flags and the files named by flags: everything but browsers that affects results. */
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
  const hasEffect = (name: string) => !WITHOUT_EFFECT.has(name) && !/^(?:server|s3-store)-/.test(name) && !secret.has(name);
  return Object.entries(flags)
    .filter(([name]) => hasEffect(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Digests of the files named by flags (a storage state, a filter list). Flags do not declare which values are paths: a value that is
 * not a file has no digest.
 */
export async function digestFiles({ plugins }: ServerApi['kernel'], flags: FlagValues): Promise<readonly unknown[]> {
  const named = effectiveFlags(plugins, flags).flatMap(([name, value]) => {
    // Identified by size and time (`describeBrowsers`): the file is large.
    if (name === 'browser-path') return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => typeof one === 'string').map((path) => [name, path] as const);
  });
  return await Promise.all(named.map(async ([name, path]) => [name, await digestFile(path)]));
}

async function digestFile(path: string): Promise<string | null> {
  // `stat` also rejects null bytes and names that are too long.
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

/** File identities of the browsers that will be started, by path. Reading their versions would require starting them. */
export async function describeBrowsers({ 'browser-path': browserPath }: FlagValues): Promise<ReadonlyMap<string, string>> {
  const { shell, full } = await findBrowsers(typeof browserPath === 'string' ? { browserPath } : {});
  const paths = [shell, full].flatMap((browser) => (browser === undefined ? [] : [browser.path]));
  return new Map(await Promise.all(paths.map(async (path) => [path, await fileIdentity(path)] as const)));
}

/** The entry key of a plan. */
export function toEntryKey(cacheKey: string, fingerprint: string): string {
  return createHash('sha256').update(`${cacheKey} ${fingerprint}`).digest('hex');
}
