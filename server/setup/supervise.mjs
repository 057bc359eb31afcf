import { spawn } from 'node:child_process';

// Runs a command that ends whenever the setup ends, even by SIGKILL: only the setup holds the write end of the input pipe.

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

process.stdin.on('end', endGroup).on('error', endGroup).resume();

child.once('error', (error) => {
  process.stderr.write(`${error.code === 'ENOENT' ? `"${command}" is not installed` : error.message}\n`);
  process.exit(127);
});
child.once('close', (code) => process.exit(code ?? 1));

/** This process leads the process group, which also contains the processes that the command started. */
function endGroup() {
  if (process.platform === 'win32') child.kill('SIGKILL');
  else process.kill(-process.pid, 'SIGKILL');
}
