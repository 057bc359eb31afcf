import process from 'node:process';
import { parseArgs } from 'node:util';
import { isPlatenError } from '@platen/kernel';
import { wrap } from '../cli/describe-fragment.js';
import { row } from '../cli/help.js';
import { buildTrimmed } from './build-trimmed.js';
import { megabytes, type TrimManifest } from './manifest.js';

const USAGE = `npm run build:trim -- --plugins png,target,wait --out DIR

Creates a folder with Platen, these plugins and those that they require: DIR/platen.mjs needs only Node.
Viewport, device, headers and cookies belong to the plugin target, wait_for to wait, obeying robots.txt to robots.

  --plugins NAMES   comma-separated; required plugins are added
  --out DIR         an empty or new folder
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { plugins: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.plugins === undefined || values.out === undefined) throw new TypeError('--plugins and --out are both required');
  const {
    plugins,
    packages,
    left_out: leftOut,
    total_bytes: total,
  } = await buildTrimmed({ plugins: values.plugins.split(','), out: values.out });
  process.stdout.write(`${values.out}: ${megabytes(total)} with ${plugins.map(({ name }) => name).join(', ')}\n`);
  for (const { name, version, bytes } of packages.slice(0, 8))
    process.stdout.write(`  ${megabytes(bytes).padStart(9)}  ${name} ${version}\n`);
  process.stdout.write(formatLeftOut(leftOut));
}

/** The excluded parts of the build: output types by name, all other plugins by their function. */
function formatLeftOut(leftOut: TrimManifest['left_out']): string {
  const types = leftOut.flatMap(({ outputs }) => outputs);
  const others = leftOut.filter(({ outputs }) => outputs.length === 0);
  return [
    '',
    'Not included unless --plugins names them:',
    ...(types.length === 0 ? [] : [wrap(types.join(' '))]),
    ...others.map(({ name, description }) => row(name.padEnd(15), description)),
    '',
  ].join('\n');
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isPlatenError(error) ? '' : `\n${USAGE}`}`);
  process.exitCode = 2;
}
