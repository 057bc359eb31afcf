import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RIG = fileURLToPath(new URL('network-rig.mjs', import.meta.url));

export interface RigReport {
  /** The command line's exit code. */
  readonly code: number;
  readonly body: string;
  readonly errors: string;
  /** `ADDRESS KIND` for each request, `ADDRESS:PORT connection` or `packet`. */
  readonly hits: readonly string[];
  /** Names that the name server was asked for. */
  readonly asked: readonly string[];
}

/** Whether this user may have networks and mounts of their own. */
export const hasNamespaces = ((): boolean => {
  try {
    execFileSync('unshare', ['-n', '-m', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** For the title of what is skipped. */
export const NEEDS_NAMESPACES = 'needs leave for network and mount namespaces';

/** One capture as HTML, in a network where every address is the test's own. */
export async function runRig(url: string, ...flags: readonly string[]): Promise<RigReport> {
  const { stdout } = await promisify(execFile)('unshare', ['-n', '-m', process.execPath, RIG, url, ...flags], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as RigReport;
}
