import { findBrowsers, readVersion, type FoundBrowser } from '@platen/kernel';
import { FIX, type Finding } from './report.js';

/** Looks for the browsers as a start would. */
export async function examineBrowsers(browserPath: string | undefined): Promise<readonly Finding[]> {
  const { shell, full } = await findBrowsers(browserPath === undefined ? {} : { browserPath });
  if (shell === undefined && full === undefined) {
    const text = browserPath === undefined ? 'none found: nothing can be rendered' : `${browserPath} is no executable file`;
    return [{ id: 'browser', state: 'missing', text, fix: FIX.browser, facts: { shell: null, full: null } }];
  }
  const lacksShell = 'none: full Chromium serves for it, slower to start and larger in memory';
  const lacksFull = 'none: the headless shell serves for it, without what only a full browser has (PDF viewer, extensions)';
  const findings = [
    await examine({ id: 'headless_shell', browser: shell, without: lacksShell, fix: 'apt-get install chromium-headless-shell' }),
    await examine({ id: 'full_chromium', browser: full, without: lacksFull, fix: FIX.fullBrowser }),
  ];
  const works = findings.some(({ state }) => state === 'ok');
  // One of the two is enough.
  return findings.map((finding) => (works && finding.state === 'missing' ? { ...finding, state: 'remark' } : finding));
}

interface Question {
  readonly id: string;
  readonly browser: FoundBrowser | undefined;
  readonly without: string;
  readonly fix: string;
}

async function examine({ id, browser, without, fix }: Question): Promise<Finding> {
  if (browser === undefined) return { id, state: 'remark', text: without, fix, facts: { path: null } };
  const { path, source, libraries } = browser;
  const version = await readVersion(path, libraries);
  const facts = { path, source, version: version ?? null };
  if (version === undefined) return { id, state: 'missing', text: `${path} (${source}) does not start`, fix, facts };
  return { id, state: 'ok', text: `${version}, ${path} (${source})`, facts };
}
