/** A parsed `wait_for` value. Times stay in seconds. */
export type WaitCondition =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'immediate' }
  | { readonly kind: 'load' }
  | { readonly kind: 'networkidle'; readonly connections: number; readonly quietSeconds: number }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'selector'; readonly selector: string };

/** One day: longer than any timeout, and within the range of a timer. */
const MAX_SECONDS = 86_400;
const SECONDS = `a number of seconds from 0 to ${String(MAX_SECONDS)}`;

export const FORMS = `${SECONDS}, "immediate", "load", "networkidle0", "networkidle2" (each optionally followed by ":seconds"), "js:eventName" or "css:selector"`;

const DEFAULT_QUIET_SECONDS = 0.5;
/** Undefined if the text has none of the valid forms. */
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

/** The expected form for an invalid value, chosen by its beginning. */
export function describeFault(text: string): string {
  const value = text.trim();
  if (/^networkidle[02]:/.test(value)) return `"wait_for" must have ${SECONDS} after the colon, such as "networkidle0:1.5"`;
  if (/^[-+.]?\d/.test(value)) return `"wait_for" must be ${SECONDS}, in digits, such as "1.5"`;
  if (value.startsWith('js:')) return '"wait_for" must name an event after "js:"';
  if (value.startsWith('css:')) return '"wait_for" must have a CSS selector after "css:"';
  return `"wait_for" must be ${FORMS}`;
}

/** Decimal only: neither `1e3` nor `0x10`. */
function parseSeconds(text: string): number | undefined {
  const seconds = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MAX_SECONDS ? seconds : undefined;
}
