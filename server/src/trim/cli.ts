import process from 'node:process';
import { parseArgs } from 'node:util';
import { isPlatenError } from '@platen/kernel';
import { buildTrimmed } from './build-trimmed.js';
import { megabytes } from './manifest.js';

const USAGE = `npm run build:trim -- --plugins png,pdf --out DIR

Makes a folder with Platen, these plugins and what they require, and nothing else: DIR/platen.mjs runs on Node alone.

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
  const { plugins, packages, total_bytes: total } = await buildTrimmed({ plugins: values.plugins.split(','), out: values.out });
  process.stdout.write(`${values.out}: ${megabytes(total)} with ${plugins.map(({ name }) => name).join(', ')}\n`);
  for (const { name, version, bytes } of packages.slice(0, 8))
    process.stdout.write(`  ${megabytes(bytes).padStart(9)}  ${name} ${version}\n`);
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isPlatenError(error) ? '' : `\n${USAGE}`}`);
  process.exitCode = 2;
}
