import { ERRORS, isPlatenError, type PlatenError } from '@platen/kernel';
import { UsageError } from '../flags/usage-error.js';
import { AddressTakenError } from '../http/bind.js';

/** One line that names the failure, and a hint if there is one. No stack: `--log-level debug` shows it. */
export function explainError(error: unknown, program = 'platen'): string {
  if (error instanceof UsageError) return lines(error.message, error.hint);
  if (error instanceof AddressTakenError) return lines(error.message, `\`${program} --server-bind-port 0\` uses a free port`);
  if (!isPlatenError(error)) return lines(error instanceof Error ? error.message : String(error));
  const { code, message, details } = error;
  if (code === 'browser_unavailable') return lines(withCause(error), HINTS[code]);
  if (details.target !== undefined) return lines(`${withoutKeyForm(message)}${ofTarget(details.target.url)}`, HINTS[code]);
  const issues = details.errors ?? [];
  if (issues.length > 1) return `platen: ${ERRORS[code].title.toLowerCase()}:\n${issues.map(({ detail }) => `  ${detail}`).join('\n')}\n`;
  return lines(message, HINTS[code]);
}

/** "fail=false" is the request's form of the flag that the hint names. */
export function withoutKeyForm(message: string): string {
  return message.replace(/; "fail=false" renders it anyway$/, '');
}

/** Names the URL that failed: a script may render several. */
function ofTarget(url: string): string {
  return ` (${url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url})`;
}

const MAX_URL = 200;

/**
 * Adds the cause, which is for the operator only: the path that they gave, the browser's last output. A single capture has no log that
 * could contain it.
 */
export function withCause({ message, cause }: PlatenError): string {
  const first = cause instanceof Error ? (cause.message.trim().split('\n')[0] ?? '') : '';
  return `${message.replace('; see the log', '')}${first === '' ? '' : `: ${first}`}`;
}

const HINTS: Readonly<Record<string, string>> = {
  browser_unavailable: '`platen doctor` lists missing host requirements',
  feature_unavailable: '`platen doctor` lists missing host requirements',
  target_status: '--no-fail renders it anyway',
  render_timeout: '--timeout SECONDS allows more time, --wait-for sets another condition',
  internal: '--log-level debug shows more',
  plugin_failed: '--log-level debug shows more',
  boot_unknown_plugin: '`platen plugins` lists the installed plugins',
};

function lines(message: string, hint?: string): string {
  return `platen: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`;
}
