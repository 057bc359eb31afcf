type StopSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const NUMBERS: Readonly<Record<StopSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** A request to stop: an interrupt, a termination, or a closed terminal. */
export interface StopSignals extends Disposable {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** Aborted by the second. */
  readonly force: AbortSignal;
  /** 128 plus the signal's number, once a signal came. */
  exitCode(): number;
}

export interface StopSignalOptions {
  /** Called for SIGHUP; set only if SIGHUP does not mean that the terminal was closed. */
  onHangup?(): void;
}

/** Handles the signals instead of Node, which would end the process and leave the browser's folders behind. */
export function watchStopSignals({ onHangup }: StopSignalOptions = {}): StopSignals {
  const stop = new AbortController();
  const force = new AbortController();
  let number = 0;
  const listeners = (['SIGHUP', 'SIGINT', 'SIGTERM'] as const).map((signal) => {
    const listener = () => {
      if (signal === 'SIGHUP' && onHangup !== undefined) {
        onHangup();
        return;
      }
      number = NUMBERS[signal];
      (stop.signal.aborted ? force : stop).abort();
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return {
    stop: stop.signal,
    force: force.signal,
    exitCode: () => 128 + number,
    [Symbol.dispose]() {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
