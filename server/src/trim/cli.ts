import process from 'node:process';
import { parseArgs } from 'node:util';
import { isPlatenError } from '@platen/kernel';
import { wrap } from '../cli/describe-fragment.js';
import { row } from '../cli/help.js';
import { buildTrimmed } from './build-trimmed.js';
import { megabytes, type TrimManifest } from './manifest.js';

const USAGE = `npm run build:trim -- --plugins png,target,wait --out DIR

Makes a folder with Platen, these plugins and what they require, and nothing else: DIR/platen.mjs runs on Node alone.
Viewport, device, headers and cookies are the plugin target, wait_for is wait, the respect for robots.txt is robots.

  --plugins NAMES   comma-separated; what they require comes with them
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
  if (values.plugins === undefined || values.out === undefined) throw new TypeError('--plugins and --out are both needed');
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
    'Without, unless --plugins names them too:',
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
