import type { TargetSession } from '@platen/kernel';

/**
 * Runs source text in a worker that has everything but its script: when the first one is about to be executed. Costs a stop of the
 * debugger, which is off again before the script's first statement.
 */
export function whenAboutToRun(target: TargetSession, source: string): readonly Promise<unknown>[] {
  const stop = target.on('Debugger.paused', () => {
    stop();
    // The worker may be gone by now.
    for (const sent of [target.send('Runtime.evaluate', { expression: source }), target.send('Debugger.disable')])
      sent.catch(() => undefined);
  });
  return [
    target.send('Debugger.enable'),
    target.send('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptExecution' }),
  ];
}
