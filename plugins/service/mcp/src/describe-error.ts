import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ErrorCode, ERRORS, isPlatenError, isRetryable, type MissingAsset, PlatenError } from '@platen/kernel';
import type { AssetSummary } from './describe-assets.js';
import { toResult } from './present-output.js';
import { fence } from './text-part.js';

/** What a caller can do, where the message does not say it. */
const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_parameters: 'correct the arguments that the message names',
  render_timeout: 'raise "timeout", or wait for less by "wait_for"',
  target_status: 'check the URL; the tool render with "fail": false shows the page of the error',
  target_unreachable: 'check the URL',
  proxy_failed: 'call again later, or report the message: the proxy of this server, or that of the argument "proxy", has failed',
  target_not_page: 'the tool render with "output_type": "download" fetches files',
  target_blocked: 'the operator of this server has excluded the URL: use another one',
  robots_disallowed: 'respect the site, or use another URL',
  selector_not_found: 'read the page by the tool read_page to find a selector',
  capture_too_large: 'render less of the page: a selector, a smaller viewport, or not "full_page"',
  goal_not_reached: 'read the report, and call again with a more specific goal or more "navigator_max_steps"',
  step_failed: 'read the report, and correct the step or wait for its element by a step before it',
  gone: 'render again',
};

/** Errors whose message may quote the page, its site, or a model that has read the page. */
const QUOTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'script_failed',
  'step_failed',
  'goal_not_reached',
  'robots_disallowed',
  'target_blocked',
  'target_not_page',
  'llm_output_invalid',
  'llm_upstream',
]);

/** Seconds until a retry makes sense if the error does not say it. */
const RETRY_AFTER = 2;

export interface FailedCall {
  /** The render's id in the log. */
  readonly id?: string | undefined;
  /** Assets of the failed render. */
  readonly assets?: readonly AssetSummary[];
  readonly missing?: readonly MissingAsset[];
}

/** A failed call as a result: its caller, a model, can read it and do better. */
export function toErrorResult(thrown: unknown, { id, assets = [], missing = [] }: FailedCall = {}): CallToolResult {
  const error = isPlatenError(thrown) ? thrown : new PlatenError('internal', 'unexpected error', { cause: thrown });
  const { code, details } = error;
  const { errors, target, phase, unmet, report, retryable = isRetryable(code), retry_after = RETRY_AFTER } = details;
  const hint = HINTS[code] ?? (retryable ? `call again in ${String(Math.ceil(retry_after))} s` : undefined);
  const facts = {
    code,
    message: messageOf(error, id),
    retryable,
    ...(hint === undefined ? {} : { try: hint }),
    ...(errors === undefined ? {} : { errors }),
    ...(target?.status === undefined ? {} : { target_status: target.status }),
    ...(phase === undefined ? {} : { phase }),
    ...(unmet === undefined ? {} : { unmet }),
    ...(assets.length === 0 ? {} : { assets }),
    ...(missing.length === 0 ? {} : { missing_assets: missing }),
  };
  const fenced = [
    ...(QUOTING.has(code) ? [fence(error.message, 'Message of the error')] : []),
    ...(report === undefined ? [] : [fence(JSON.stringify(report), 'Report of the failed render')]),
  ].map((text) => ({ type: 'text' as const, text }));
  return { isError: true, ...toResult(facts, fenced) };
}

/** In the words of this server. */
function messageOf({ code, expose, message }: PlatenError, id: string | undefined): string {
  if (!expose) return `the server failed; its log has the cause${id === undefined ? '' : `, under the request ${id}`}`;
  return QUOTING.has(code) ? `${ERRORS[code].title}; the untrusted text below says more` : message;
}
