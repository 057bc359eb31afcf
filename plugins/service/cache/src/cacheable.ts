import type { RenderPlan, RenderResult } from '@platen/kernel';

/** Keys that give a render credentials, or effects: what comes of it is for one asker and one time. */
const NEVER_KEPT = ['cookie', 'header', 'navigate', 'navigator_credential', 'web_bot_auth', 'diagnostics'] as const;

/** Whether results of the plan may be kept at all. */
export function isCacheable({ params, url }: Pick<RenderPlan, 'params' | 'url'>): boolean {
  // Here `false` is no absence: it is for a render without the server's own default.
  if (params.with_storage !== undefined) return false;
  if (NEVER_KEPT.some((key) => isGiven(params[key]))) return false;
  return ![url, ...Object.values(params)].some(hasUserinfo);
}

/** Of these `false` says no as leaving the key out does, and an empty list gives nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** `https://user:password@host`, `https://KEY@host`: of the target, of a model's address, of whatever a plugin takes. */
function hasUserinfo(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUserinfo);
  return typeof value === 'string' && /^\s*[a-z][a-z0-9+.-]*:[\\/]{2,}[^/?#\\]*@/i.test(value);
}

/**
 * Whether a result is one to keep. An error page, rendered because `fail=false` asked for it, is the answer of that moment, and an
 * answer without all of its assets is not what was asked for.
 */
export function isStorable({ assets, headers }: Pick<RenderResult, 'assets' | 'headers'>): boolean {
  const status = headers['X-Target-Status'];
  const isWhole = assets.missing.length === 0 && assets.kept.every(({ incomplete }) => incomplete === undefined);
  return isWhole && (status === undefined || /^2\d\d$/.test(status));
}
