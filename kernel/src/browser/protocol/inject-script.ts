import type { Logger } from '../../logger.js';
import type { InjectOptions, ProtocolSession, TargetKind } from './contract.js';

/** Brings source text into one target. */
export interface Injector {
  /** See `TargetSession`. */
  inject(source: string, options?: InjectOptions): readonly Promise<unknown>[];
  /** The target's setup is complete: it is about to be resumed. */
  starting(): readonly Promise<unknown>[];
}

export interface InjectorOptions {
  readonly session: ProtocolSession;
  readonly kind: TargetKind;
  /** A page without an opener: no script can access it before its first navigation. */
  readonly primary: boolean;
  readonly log: Logger;
}

export function createInjector(options: InjectorOptions): Injector {
  return options.kind === 'page' || options.kind === 'iframe' ? createDocumentInjector(options) : createWorkerInjector(options);
}

function createDocumentInjector({ session, kind, primary }: InjectorOptions): Injector {
  let runImmediately = !primary;
  let enabled: Promise<void> | undefined;
  return {
    inject(source) {
      // If its domain is disabled, the frame accepts the script but never runs it. Pages enable the domain first.
      if (kind === 'iframe') enabled ??= session.send('Page.enable');
      return [
        ...(enabled === undefined ? [] : [enabled]),
        session.send('Page.addScriptToEvaluateOnNewDocument', { source: addSourceUrl(source), runImmediately }),
      ];
    },
    starting() {
      runImmediately = true;
      return [];
    },
  };
}

/**
 * A paused worker executes commands in order, except commands that run script: these are queued, and any other command, including the
 * resuming one, may overtake or interrupt them. Of several scripts only the first would be sure to run before the worker's own script, and
 * a breakpoint set after them would hit one of them. So all are combined into one script, in one of two places.
 */
function createWorkerInjector({ session, kind, log }: InjectorOptions): Injector {
  let held: string[] | undefined = [];
  let whenScriptStarts = false;
  let includeCommandLineAPI = false;
  const run = async (sources: readonly string[]): Promise<void> => {
    const expression = addSourceUrl(runAll(sources));
    const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true, includeCommandLineAPI });
    if (result.value !== '') log.warn({ kind, errors: String(result.value) }, 'a script injected into a worker failed');
  };
  return {
    inject(source, { needsInterfaces = false, commandLine = false } = {}) {
      includeCommandLineAPI ||= commandLine;
      if (!held) return [run([source])];
      held.push(source);
      // Shared workers and service workers have all their interface objects while they are paused.
      whenScriptStarts ||= needsInterfaces && kind === 'worker';
      return [];
    },
    starting() {
      const sources = held ?? [];
      held = undefined;
      if (sources.length === 0) return [];
      return whenScriptStarts ? whenAboutToRun(session, () => run(sources)) : [run(sources)];
    },
  };
}

/** Combines scripts into one; each runs even if others fail. Its value lists the failures, one per line. */
function runAll(sources: readonly string[]): string {
  const each = sources.map((source) => `() => {\n${source}\n}`).join(',\n');
  return `[${each}].flatMap((run) => { try { run(); return []; } catch (error) { return [String(error)]; } }).join('\\n')`;
}

/** Pauses the worker when its own script is about to run; the debugger is disabled again before the script runs. */
function whenAboutToRun(session: ProtocolSession, run: () => Promise<void>): readonly Promise<unknown>[] {
  const stop = session.on('Debugger.paused', () => {
    stop();
    // The worker may have ended.
    run()
      .catch(() => undefined)
      .then(() => session.send('Debugger.disable'))
      .catch(() => undefined);
  });
  return [
    session.send('Debugger.enable'),
    session.send('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptExecution' }),
  ];
}

/** The URL of Platen's own scripts in pages and workers, which profilers exclude. */
export const OWN_SCRIPT_URL = 'platen:script';

/** Source text of a function or a complete script, with that URL. */
export function addSourceUrl(source: string): string {
  return `${source}\n//# sourceURL=${OWN_SCRIPT_URL}\n`;
}
