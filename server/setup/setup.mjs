import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkNode } from './node-version.mjs';
import { HELP, parseOptions } from './options.mjs';

// Installs the missing parts of this clone, then runs the given program. Plain Node: nothing is installed yet when it starts.

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else await setUpAndRun(options);
} catch (error) {
  // The program that runs after the setup reports its own failures; only the setup's failures are reported here.
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
  // Imported only here: an older Node would fail on the syntax of these modules before the version check could report it.
  const { setUp } = await import('./steps.mjs');
  // A service that receives SIGHUP during the setup has not read its configuration yet, so it can ignore the signal. A closed terminal must
  // still end it.
  const isService = options.then !== undefined && !process.stdout.isTTY;
  if (isService) ignoreHangups();
  await setUp(root, options);
  if (options.then === undefined || options.dryRun) return;
  const file = resolve(root, options.then);
  process.argv = [process.execPath, file, ...(options.rest.length === 0 ? ['--server'] : options.rest)];
  // `npm start` changes to the clone's folder; file names are relative to the user's folder.
  if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
  // The program runs in this process, so that signals reach it directly.
  await import(pathToFileURL(file).href);
}

/** Handles the signals until the program that runs afterwards listens to them. */
function ignoreHangups() {
  const ignore = () => undefined;
  const handOver = (event, listener) => {
    if (event !== 'SIGHUP' || listener === ignore) return;
    process.off('newListener', handOver);
    // The other listener must be added first: Node stops handling a signal when its last listener is removed.
    process.nextTick(() => process.off('SIGHUP', ignore));
  };
  process.on('SIGHUP', ignore).on('newListener', handOver);
}
