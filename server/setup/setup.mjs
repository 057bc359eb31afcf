import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkNode } from './node-version.mjs';
import { HELP, parseOptions } from './options.mjs';

// Sets up what is missing in this clone, then runs what it was asked to run. Plain Node: nothing is installed yet when it starts.

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else await setUpAndRun(options);
} catch (error) {
  // What was set up has its own way of failing; only the set-up's failures are told here.
  if (error.name !== 'SetupError') throw error;
  process.stderr.write(`setup: ${error.message}\n\n${error.advice}\n`);
  process.exitCode = 1;
}

function readOptions() {
  try {
    return parseOptions(process.argv.slice(2), process.env.PLATEN_SETUP);
  } catch (error) {
    process.stderr.write(`setup: ${error.message}\n`);
    process.exit(2);
  }
}

async function setUpAndRun(options) {
  checkNode();
  // Only now: an older Node would fail on the syntax of these before it could be told its version.
  const { setUp } = await import('./steps.mjs');
  // A service that is told to read its configuration again while it is set up has not read it yet. A terminal's end is one.
  const isService = options.then !== undefined && !process.stdout.isTTY;
  if (isService) ignoreHangups();
  await setUp(root, options);
  if (options.then === undefined || options.dryRun) return;
  const file = resolve(root, options.then);
  process.argv = [process.execPath, file, ...(options.rest.length === 0 ? ['--server'] : options.rest)];
  // `npm start` moves to the clone; files are named from where the user stands.
  if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
  // The same process, so that signals reach it without a relay.
  await import(pathToFileURL(file).href);
}

/** Until what is run afterwards listens to them. */
function ignoreHangups() {
  const ignore = () => undefined;
  const handOver = (event, listener) => {
    if (event !== 'SIGHUP' || listener === ignore) return;
    process.off('newListener', handOver);
    // The other one must stand first: Node stops listening to a signal of which the last listener goes.
    process.nextTick(() => process.off('SIGHUP', ignore));
  };
  process.on('SIGHUP', ignore).on('newListener', handOver);
}
