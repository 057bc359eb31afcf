/** What scripts of a document or worker see. */
export interface Frozen {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** An unsigned integer of 32 bits. */
  readonly seed: number;
}

/** Reads of the clock after which it goes on by a millisecond, so that a script that waits in a loop ends. */
const READS_PER_MS = 100_000;

/** Date, `Intl` and `Temporal` stand at this time. */
export function fixDate(time: number): void {
  let reads = 0;
  const now = () => time + Math.floor((reads += 1) / READS_PER_MS);
  const Real = Date;
  Real.now = now;
  const Fixed = new Proxy(Real, {
    construct: (_real, given: unknown[], target) => {
      // `construct` makes what its first argument makes.
      return Reflect.construct(Real, given.length === 0 ? [now()] : given, target) as Date;
    },
    apply: () => new Real(now()).toString(),
  });
  Real.prototype.constructor = Fixed;
  globalThis.Date = Fixed;
  fixFormats(now);
  fixTemporal(now);
}

function fixFormats(now: () => number): void {
  const { prototype } = Intl.DateTimeFormat;
  const format = Object.getOwnPropertyDescriptor(prototype, 'format');
  Object.defineProperty(prototype, 'format', {
    ...format,
    get(this: Intl.DateTimeFormat) {
      // The getter returns a function that is bound to the format.
      const real = format?.get?.call(this) as Intl.DateTimeFormat['format'];
      return (date?: Date | number) => real(date ?? now());
    },
  });
  const { formatToParts } = prototype;
  prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? now());
  };
}

interface Zoned {
  toPlainDate(): unknown;
  toPlainTime(): unknown;
  toPlainDateTime(): unknown;
}

interface Temporal {
  readonly Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): Zoned } };
  readonly Now: Record<string, (zone?: unknown) => unknown>;
}

function fixTemporal(now: () => number): void {
  // TypeScript does not know it yet, and older browsers do not have it.
  const { Temporal: temporal } = globalThis as { readonly Temporal?: Temporal };
  if (temporal === undefined) return;
  const { Instant, Now } = temporal;
  const instant = () => Instant.fromEpochMilliseconds(now());
  const zoned = (zone = Now['timeZoneId']?.()) => instant().toZonedDateTimeISO(zone);
  Object.assign(Now, {
    instant,
    zonedDateTimeISO: zoned,
    plainDateISO: (zone: unknown) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone: unknown) => zoned(zone).toPlainTime(),
    plainDateTimeISO: (zone: unknown) => zoned(zone).toPlainDateTime(),
  });
}

/** Each realm has a sequence of its own, by its address. Mulberry32, public domain: github.com/bryc/code. */
export function seedRandom(seed: number): void {
  let state: number | undefined;
  Math.random = () => {
    // A worker that is about to start has no location yet.
    state ??= hash(seed, globalThis.location.href.replace(/^(blob:.*\/).*/s, '$1'));
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a of the characters. */
function hash(seed: number, text: string): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}
