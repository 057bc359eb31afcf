import type { Middleware } from 'koa';
import type { FlagValues } from '../service/hooks.js';
import type { RequestState } from '../service/request-state.js';

/** Seconds for which browsers remember a preflight: Chromium's maximum. */
const PREFLIGHT_AGE = 7200;

/**
 * Lets pages of the origins in `--server-allowed-origins` read responses (CORS protocol of the Fetch standard), errors included. Preflights have
 * no credentials, so they are answered before authorization.
 */
export function allowOrigins(flags: FlagValues): Middleware<RequestState> {
  const origins = readAllowedOrigins(flags);
  return async (ctx, next) => {
    if (origins.size > 0) ctx.vary('Origin');
    const { origin } = ctx.headers;
    if (origin === undefined || !origins.has(normalizeOrigin(origin))) {
      await next();
      return;
    }
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' });
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
      await next();
      return;
    }
    ctx.status = 204;
    ctx.set({
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      // A wildcard would not permit `Authorization`.
      'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
      'Access-Control-Max-Age': String(PREFLIGHT_AGE),
    });
  };
}

export function readAllowedOrigins({ 'server-allowed-origins': given }: FlagValues): ReadonlySet<string> {
  return new Set(textsOf(given).map(normalizeOrigin));
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function normalizeOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  // To the URL standard, browser extensions have opaque origins.
  return origin === 'null' ? text.toLowerCase() : origin;
}
