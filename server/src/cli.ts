#!/usr/bin/env node
import process from 'node:process';
import { main } from './cli/main.js';

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: Error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
});

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  cwd: process.cwd(),
});
process.exitCode = code;
// Whoever was told to hurry does not wait for what hangs.
if (code > 128) process.exit();
