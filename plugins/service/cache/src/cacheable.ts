import type { RenderPlan, RenderResult, ServerApi } from '@platen/kernel';

/** Parameters that give a render side effects, or credentials that are not declared secret: the result is for one client and one time. */
const NEVER_CACHED = [
  'cookie',
  'header',
  'navigate',
  'click_selector',
  'navigator_credential',
  'steps',
  'web_bot_auth',
  'diagnostics',
] as const;

type SchemaKeys = ServerApi['kernel']['schema']['keys'];

/**
 * Whether results of the plan may be cached.
 *
 * @param keys the keys of the request schema: no result of a secret one is cached
 */
export function isCacheable({ params, url }: Pick<RenderPlan, 'params' | 'url'>, keys: SchemaKeys): boolean {
  // `false` differs from unset: it renders without the server's default storage.
  if (params.with_storage !== undefined) return false;
  if (NEVER_CACHED.some((key) => isGiven(params[key]))) return false;
  if (Object.keys(params).some((key) => keys.get(key)?.fragment['x-secret'] === true)) return false;
  return ![url, ...Object.values(params)].some(hasUserinfo);
}

/** `false` and an empty list mean the same as an unset parameter. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** `https://user:password@host` or `https://KEY@host` in any parameter: the target, the URL of a model. */
function hasUserinfo(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUserinfo);
  return typeof value === 'string' && /^\s*[a-z][a-z0-9+.-]*:[\\/]{2,}[^/?#\\]*@/i.test(value);
}

/**
 * Whether a result may be stored. Error pages (`fail=false`) are temporary. A result without all of its assets, or of a page that was not
 * ready in its time, is incomplete.
 */
export function isStorable({ assets, headers }: Pick<RenderResult, 'assets' | 'headers'>): boolean {
  const status = headers['X-Target-Status'];
  const isWhole = assets.missing.length === 0 && assets.kept.every(({ incomplete }) => incomplete === undefined);
  return isWhole && headers['X-Timeout'] === undefined && (status === undefined || /^2\d\d$/.test(status));
}
