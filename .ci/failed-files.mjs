// Prints the test files that a second try may clear, one a line: those with a failed test, unless nothing in them depends on how busy
// the machine is (files without a suffix). Where many failed the change is at fault, not the machine: then none.

import { readFileSync } from 'node:fs';

/** A second try runs one file at a time: this many take some ten minutes on two processors. */
const MOST = 40;

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const files = testResults.filter(({ status, name }) => status === 'failed' && /\.(isolated|browser|slow)\.test\.ts$/.test(name));
if (files.length <= MOST) for (const { name } of files) console.log(name);
else console.error(`${files.length} test files failed: no second try`);
