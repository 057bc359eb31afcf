import { ERRORS, isPlatenError } from '@platen/kernel';
import { UsageError } from './usage-error.js';

/** One line that names what failed, and a hint where there is one. No stack: `--log-level debug` shows it. */
export function explainError(error: unknown): string {
  if (error instanceof UsageError) return lines(error.message, error.hint);
  if (!isPlatenError(error)) return lines(error instanceof Error ? error.message : String(error));
  const { code, message, details } = error;
  const faults = details.errors ?? [];
  if (faults.length > 1) return `platen: ${ERRORS[code].title.toLowerCase()}:\n${faults.map(({ detail }) => `  ${detail}`).join('\n')}\n`;
  return lines(code.startsWith('boot_') ? `${message} (${code})` : message, HINTS[code]);
}

const HINTS: Readonly<Record<string, string>> = {
  browser_unavailable: '`platen doctor` says what the host lacks',
  feature_unavailable: '`platen doctor` says what the host lacks',
  target_status: '--no-fail renders it all the same',
  render_timeout: '--timeout SECONDS gives it more time, --wait-for another condition',
  internal: '--log-level debug shows more',
  plugin_failed: '--log-level debug shows more',
  boot_unknown_plugin: '`platen plugins` lists what is installed',
};

function lines(message: string, hint?: string): string {
  return `platen: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`;
}
