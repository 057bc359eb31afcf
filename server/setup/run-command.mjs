import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Children in progress: each leads a process group, which a Ctrl-C at the terminal does not reach. They end with the setup. */
const running = new Set();

const SUPERVISOR = fileURLToPath(new URL('supervise.mjs', import.meta.url));

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

function endAll(signal) {
  for (const child of running) killGroup(child);
  process.exit(EXIT_CODES[signal]);
}

/**
 * Handles signals only while there is a child process: the program that runs after the setup handles its own. A SIGHUP that already has a
 * listener is not handled here.
 */
function watchSignals() {
  for (const signal of Object.keys(EXIT_CODES)) {
    if (signal === 'SIGHUP' && process.listeners(signal).some((listener) => listener !== endAll)) continue;
    if (running.size > 0 && !process.listeners(signal).includes(endAll)) process.on(signal, endAll);
    if (running.size === 0) process.off(signal, endAll);
  }
}

/**
 * Runs a command until it ends or reaches its time limit, so that no command can hang the setup.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ timeoutMs: number, cwd?: string, env?: NodeJS.ProcessEnv, endsWithUs?: boolean }} options `endsWithUs`: ends the command if
 * this process is killed, so that the next setup does not run beside it. Not for system packages: interrupting their installation is worse
 * than finishing it.
 * @returns {Promise<{ ok: boolean, output: string, problem: string }>} `problem` describes a failure
 */
export function runCommand(command, args, { timeoutMs, cwd, env = process.env, endsWithUs = false }) {
  return new Promise((resolve) => {
    const [file, ...rest] = endsWithUs ? [process.execPath, SUPERVISOR, command, ...args] : [command, ...args];
    const input = endsWithUs ? 'pipe' : 'ignore';
    const child = spawn(file, rest, { cwd, env, stdio: [input, 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    child.stdin?.on('error', () => undefined);
    running.add(child);
    watchSignals();
    let output = '';
    let expired = false;
    const keep = (text) => {
      output = (output + text).slice(-1_000_000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => {
      expired = true;
      killGroup(child);
      // A grandchild that left the process group may hold the pipes open: do not wait for them.
      child.stdout.destroy();
      child.stderr.destroy();
    }, timeoutMs);
    const settle = (problem) => {
      clearTimeout(timer);
      running.delete(child);
      watchSignals();
      resolve({ ok: problem === '', output, problem });
    };
    child.once('error', (error) => settle(error.code === 'ENOENT' ? `"${command}" is not installed` : error.message));
    child.once('close', (code, signal) => {
      if (expired) settle(`it did not end within ${timeoutMs / 1000} s`);
      else settle(code === 0 ? '' : `it ended with ${signal ?? `code ${code}`}`);
    });
  });
}

/** The last lines of a command's output, for an error text. */
export function lastLines(output, count = 20) {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

function killGroup(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
