// Turns vitest's report, its exit code and the number of failed checks into the last line of `.ci/run`.

import { readFileSync } from 'node:fs';

const [file, exitCode, failedChecks] = process.argv.slice(2);

function readCounts() {
  try {
    const { numPassedTests: passed, numPendingTests: pending, numTodoTests: todo, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    // A file that fails before its first test holds no test that could be counted.
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    );
    const unsteady = tests.filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0);
    return { passed, failed: tests.filter(({ status }) => status === 'failed').length + broken.length, skipped: pending + todo, unsteady };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, unsteady: [] };
  }
}

const { passed, failed: failedTests, skipped, unsteady } = readCounts();
let failed = failedTests + Number(failedChecks);
// An unhandled error, a run that found no test or that died: vitest says so by its exit code alone.
if (Number(exitCode) !== 0 && failedTests === 0) failed += 1;
if (Number(exitCode) === 0 && passed === 0) failed += 1;

for (const { fullName, failureMessages } of unsteady) {
  console.log(`UNSTEADY, passed on its second try: ${fullName}\n  ${failureMessages[0].split('\n')[0]}`);
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
