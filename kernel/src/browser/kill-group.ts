/** Kills a process group leader with all processes it started. Undefined: the process never started. */
export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signalProcess(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/** A process that has already exited is not an error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
