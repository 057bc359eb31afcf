import { findBrowsers, type FoundBrowser, isPlatenError, type Kernel, readVersion, type RenderPlan } from '@platen/kernel';
import { withCause } from '../boot/explain-error.js';
import type { Fixes } from '../boot/fixes.js';
import type { Finding } from '../service/hooks.js';

/** Looks for the browsers as a start does. */
export async function checkBrowsers(browserPath: string | undefined, fixes: Fixes): Promise<readonly Finding[]> {
  const { shell, full } = await findBrowsers(browserPath === undefined ? {} : { browserPath });
  if (shell === undefined && full === undefined) {
    const facts = { shell: null, full: null };
    if (browserPath !== undefined)
      return [{ id: 'browser', state: 'missing', text: `${browserPath} is not an executable file`, fix: CORRECT, facts }];
    return [{ id: 'browser', state: 'missing', text: 'none found: nothing can be rendered', fix: fixes.browser, facts }];
  }
  const lacksShell = 'none: full Chromium is used instead, which starts slower and uses more memory';
  const lacksFull = 'none: the headless shell is used instead, without the features of a full browser (PDF viewer, extensions)';
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
const CORRECT = 'correct --browser-path, or omit it to search for a browser';

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

/** Rendered like any other page, without keys that belong to a plugin: only a screenshot proves that screenshots work. */
const PAGE = { url: 'data:text/html,<title>ok</title>' };

/** Renders through the kernel, with the flags of a start. Never rejects. */
export async function tryRender(kernel: Kernel, sandbox: 'on' | 'off'): Promise<Finding> {
  const started = performance.now();
  try {
    const plan = planPage(kernel);
    const { output } = await kernel.render(plan);
    const milliseconds = Math.round(performance.now() - started);
    const bytes = Buffer.isBuffer(output.body) ? output.body.length : undefined;
    if (bytes === 0) throw new Error('the screenshot is empty');
    const facts = { milliseconds, sandbox: sandbox === 'on', output_type: plan.output.type };
    const text = `a page as ${plan.output.type} in ${milliseconds} ms from a cold start, sandbox ${sandbox === 'on' ? 'on' : 'off, as requested'}`;
    return { id: 'render', state: sandbox === 'on' ? 'ok' : 'remark', text, facts };
  } catch (error) {
    return cannotRender(error);
  }
}

/** The output of a browser that does not start names the missing part. The doctor has no log that could contain it. */
export function cannotRender(error: unknown): Finding {
  const text = isPlatenError(error) ? withCause(error) : String(error);
  return { id: 'render', state: 'missing', text, facts: { code: isPlatenError(error) ? error.code : null } };
}

/** The default output type; if it is not enabled, the first enabled one. */
function planPage(kernel: Kernel): RenderPlan {
  const plan = (raw: object) => kernel.plan(kernel.validate(raw, 'flags'));
  try {
    return plan(PAGE);
  } catch (error) {
    const [output_type] = kernel.plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type));
    if (output_type === undefined) throw error;
    return plan({ ...PAGE, output_type });
  }
}
