// Runs oxlint with the rules of the language (`.oxlintrc.json`), many of which need types. Arguments are files, as for oxlint; all without.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** An `as` that the compiler cannot check needs a reason: a comment beside it or on the line before. */
function isExplained(source, { offset, length, line }) {
  const lines = source.split('\n');
  const asserted = Buffer.from(source).toString('utf8', offset, offset + length);
  const last = line + asserted.split('\n').length - 1;
  return [line - 1, line, last].some((number) => /(^|\s)(\/\/|\/?\*)/.test(lines[number - 1] ?? ''));
}

function describe({ filename, code, message, labels }, root) {
  const span = labels[0]?.span;
  // Of a configuration.
  if (span === undefined) return [`${filename ?? ''} ${message} [${code ?? 'oxlint'}]`];
  if (/^Unused eslint-disable/.test(message)) return [];
  const isAssertion = code === 'typescript(no-unsafe-type-assertion)';
  if (isAssertion && isExplained(readFileSync(join(root, filename), 'utf8'), span)) return [];
  const advice = isAssertion ? ' Narrow the value by a test, or give the reason in a comment beside it.' : '';
  return [`${filename}:${span.line}:${span.column} ${message}${advice} [${code ?? 'oxlint'}]`];
}

/** Returns the findings, a line each, in files below a folder with `.oxlintrc.json`. */
export function lint(paths = [], root = ROOT) {
  const flags = ['--type-aware', '--report-unused-disable-directives', '--format=json'];
  const command = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), ...flags, ...paths];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`);
  const { diagnostics, number_of_files: files } = JSON.parse(stdout);
  if (!(files > 0)) throw new Error('oxlint found no files');
  return diagnostics.flatMap((diagnostic) => describe(diagnostic, root));
}

if (process.argv[1] === import.meta.filename) {
  const found = lint(process.argv.slice(2));
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
