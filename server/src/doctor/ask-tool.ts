import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a program prints; undefined where it is missing, fails, or takes more than 10 s. */
export async function askTool(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      timeout: 10_000,
      killSignal: 'SIGKILL',
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch {
    return undefined;
  }
}
