import type { Fragment, RenderPlan, RenderResult, ServerApi } from '@platen/kernel';

/**
 * Whether results of the plan may be cached.
 *
 * @param keys the keys of the request schema, whose owners say of which there is no cached result
 */
export function isCacheable(
  { params, url, namesAssets }: Pick<RenderPlan, 'params' | 'url' | 'namesAssets'>,
  keys: ServerApi['kernel']['schema']['keys'],
): boolean {
  const isPrivate = ([key, value]: [string, unknown]) => {
    const { 'x-secret': secret, 'x-uncached': uncached, default: usual }: Fragment = keys.get(key)?.fragment ?? {};
    return (secret ?? uncached) === true && value !== usual && !(Array.isArray(value) && value.length === 0);
  };
  return namesAssets !== true && !Object.entries(params).some(isPrivate) && ![url, ...Object.values(params)].some(hasUserinfo);
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
