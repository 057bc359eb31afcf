import { findBrowsers, readVersion, type FoundBrowser } from '@platen/kernel';
import type { Fixes } from './fixes.js';
import type { Finding } from './report.js';

/** Looks for the browsers as a start does. */
export async function checkBrowsers(browserPath: string | undefined, fixes: Fixes): Promise<readonly Finding[]> {
  const { shell, full } = await findBrowsers(browserPath === undefined ? {} : { browserPath });
  if (shell === undefined && full === undefined) {
    const facts = { shell: null, full: null };
    if (browserPath !== undefined)
      return [{ id: 'browser', state: 'missing', text: `${browserPath} is no executable file`, fix: CORRECT, facts }];
    return [{ id: 'browser', state: 'missing', text: 'none found: nothing can be rendered', fix: fixes.browser, facts }];
  }
  const lacksShell = 'none: full Chromium serves for it, slower to start and larger in memory';
  const lacksFull = 'none: the headless shell serves for it, without what only a full browser has (PDF viewer, extensions)';
  const findings = [
    await check({ id: 'headless_shell', browser: shell, without: lacksShell, fix: 'apt-get install chromium-headless-shell' }),
    await check({ id: 'full_chromium', browser: full, without: lacksFull, fix: 'apt-get install chromium' }),
  ];
  const works = findings.some(({ state }) => state === 'ok');
  // One of the two is sufficient; if neither starts, neither can replace the other.
  if (!works) return findings.filter(({ state }) => state === 'missing');
  return findings.map((finding) => (finding.state === 'missing' ? { ...finding, state: 'remark' } : finding));
}

/** If a flag names a browser, no other one is checked. */
const CORRECT = 'correct --browser-path, or leave it out to have one looked for';

interface Question {
  readonly id: string;
  readonly browser: FoundBrowser | undefined;
  readonly without: string;
  readonly fix: string;
}

async function check({ id, browser, without, fix }: Question): Promise<Finding> {
  if (browser === undefined) return { id, state: 'remark', text: without, fix, facts: { path: null } };
  const { path, source, libraries } = browser;
  const version = await readVersion(path, libraries);
  const facts = { path, source, version: version ?? null };
  if (version === undefined)
    return { id, state: 'missing', text: `${path} (${source}) does not start`, fix: source === 'flag' ? CORRECT : fix, facts };
  return { id, state: 'ok', text: `${version}, ${path} (${source})`, facts };
}
