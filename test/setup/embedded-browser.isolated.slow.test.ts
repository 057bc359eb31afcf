import { expect, it } from 'vitest';
import { whyNoEmbedded } from '../../server/setup/embedded-browser.mjs';

const report = (glibcVersionRuntime: string | undefined) => ({ getReport: () => ({ header: { glibcVersionRuntime } }) });

it.each([
  ['linux', 'x64', '2.36', undefined],
  ['linux', 'arm64', '2.36', /runs on Linux x64 only; this is linux on arm64/],
  ['darwin', 'x64', undefined, /this is darwin/],
  ['linux', 'x64', undefined, /requires glibc/],
])('the browser of the npm package on %s %s with glibc %s', (platform, arch, glibc, expected) => {
  const why = whyNoEmbedded({ platform, arch, report: report(glibc) });
  if (expected === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(expected);
});
