/**
 * Runs in pages and workers before their scripts; must not capture outer variables. Every source of the date runs `shiftMs` away from the
 * real one. `performance` is not changed: its zero is the start of the page.
 */
export function shiftClock(shiftMs: number): void {
  const { Date: RealDate, Proxy: RealProxy, Reflect: mirror } = globalThis;
  const realNow = RealDate.now;
  const now = (): number => realNow() + shiftMs;
  RealDate.now = now;
  const Shifted = new RealProxy(RealDate, {
    // A constructor returns an object.
    construct: (real, given, newTarget) => mirror.construct(real, given.length === 0 ? [now()] : given, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = Shifted;
  globalThis.Date = Shifted;
  // They read the clock themselves if no date is given.
  const formats = Intl.DateTimeFormat.prototype;
  const format = Object.getOwnPropertyDescriptor(formats, 'format')?.get;
  const toParts = formats.formatToParts;
  Object.defineProperty(formats, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      // The getter of every engine returns one.
      const bound = format?.call(this) as Intl.DateTimeFormat['format'];
      return (date?: Date | number) => bound(date ?? now());
    },
  });
  formats.formatToParts = function (date) {
    return toParts.call(this, date ?? now());
  };
  // The compiler does not know it yet.
  const { Temporal } = globalThis as { Temporal?: TemporalClock };
  if (Temporal === undefined) return;
  const { instant, zonedDateTimeISO } = Temporal.Now;
  const zoned: typeof zonedDateTimeISO = (...zone) => zonedDateTimeISO(...zone).add({ milliseconds: shiftMs });
  Object.assign(Temporal.Now, {
    instant: () => instant().add({ milliseconds: shiftMs }),
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (...zone: readonly unknown[]) => zoned(...zone).toPlainDateTime(),
    plainDateISO: (...zone: readonly unknown[]) => zoned(...zone).toPlainDate(),
    plainTimeISO: (...zone: readonly unknown[]) => zoned(...zone).toPlainTime(),
  });
}

interface Shiftable {
  add(duration: { readonly milliseconds: number }): this;
}

/** What is used of it. */
interface TemporalClock {
  readonly Now: {
    readonly instant: () => Shiftable;
    readonly zonedDateTimeISO: (
      ...zone: readonly unknown[]
    ) => Shiftable & Readonly<Record<'toPlainDateTime' | 'toPlainDate' | 'toPlainTime', () => unknown>>;
  };
}
