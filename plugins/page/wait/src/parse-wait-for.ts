/** A `wait_for` value, read. Seconds stay seconds. */
export type WaitCondition =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'immediate' }
  | { readonly kind: 'load' }
  | { readonly kind: 'networkidle'; readonly connections: number; readonly quietSeconds: number }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'selector'; readonly selector: string };

export const FORMS =
  'a number of seconds, "immediate", "load", "networkidle0", "networkidle2" (each with ":seconds" behind it, if need be), "js:eventName" or "css:selector"';

const DEFAULT_QUIET_SECONDS = 0.5;
/** A day: far beyond any timeout, and within what a timer holds. */
const MAX_SECONDS = 86_400;

/** Undefined where the text has none of the forms. */
export function parseWaitFor(text: string): WaitCondition | undefined {
  const value = text.trim();
  if (value === 'immediate' || value === 'load') return { kind: value };
  const idle = /^networkidle([02])(?::(.*))?$/s.exec(value);
  if (idle) {
    const quietSeconds = idle[2] === undefined ? DEFAULT_QUIET_SECONDS : parseSeconds(idle[2]);
    return quietSeconds === undefined ? undefined : { kind: 'networkidle', connections: Number(idle[1]), quietSeconds };
  }
  const named = /^(js|css):(.*)$/s.exec(value);
  const argument = named?.[2]?.trim() ?? '';
  if (named)
    return argument === '' ? undefined : named[1] === 'js' ? { kind: 'event', name: argument } : { kind: 'selector', selector: argument };
  const seconds = parseSeconds(value);
  return seconds === undefined ? undefined : { kind: 'time', seconds };
}

/** Decimal only: neither `1e3` nor `0x10`. */
function parseSeconds(text: string): number | undefined {
  const seconds = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MAX_SECONDS ? seconds : undefined;
}
