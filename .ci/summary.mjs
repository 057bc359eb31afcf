// Turns vitest's reports, the exit code of its first run and the number of failed checks into the last line of `.ci/run`. The second
// report, of the files that failed at first, takes the place of their first results.

import { readFileSync } from 'node:fs';

const [firstFile, secondFile, exitCode, failedChecks] = process.argv.slice(2);

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}

const isFailed = ({ status }) => status === 'failed';
const first = readResults(firstFile);
const second = new Map(readResults(secondFile).map((result) => [result.name, result]));
const last = first.map((result) => second.get(result.name) ?? result);

const tests = last.flatMap(({ assertionResults }) => assertionResults);
const passed = tests.filter(({ status }) => status === 'passed').length;
const skipped = tests.filter(({ status }) => status === 'pending' || status === 'todo' || status === 'skipped').length;
// A file that fails before its first test holds no test that could be counted.
const isBroken = (result) => isFailed(result) && !result.assertionResults.some(isFailed);
const failedTests = tests.filter(isFailed).length + last.filter(isBroken).length;
let failed = failedTests + Number(failedChecks);
// An unhandled error, a run that found no test or that died: vitest says so by its exit code alone.
if (Number(exitCode) !== 0 && !first.some(isFailed)) failed += 1;
if (Number(exitCode) === 0 && passed === 0) failed += 1;

const isUnsteady = ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0;
const unsteady = first.flatMap((result) => {
  const again = new Map(second.get(result.name)?.assertionResults.map((test) => [test.fullName, test.status]));
  return result.assertionResults.filter((test) => isUnsteady(test) || (isFailed(test) && again.get(test.fullName) === 'passed'));
});
for (const { fullName, failureMessages } of unsteady) {
  console.log(`UNSTEADY, passed when tried again: ${fullName}\n  ${failureMessages[0].split('\n')[0]}`);
}
for (const { fullName, failureMessages } of tests.filter(isFailed)) {
  console.log(`FAILED: ${fullName}\n  ${failureMessages[0].split('\n')[0]}`);
}
for (const { name, message } of last.filter(isBroken)) console.log(`FAILED: ${name}\n  ${message.split('\n')[0]}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
