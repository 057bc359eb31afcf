/** Ends a process with all that it started, where it leads a group of its own; undefined is one that never started. */
export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signalProcess(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/** A process that is gone is no fault. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
