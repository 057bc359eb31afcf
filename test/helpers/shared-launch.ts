import type { BrowserProcess } from '../../kernel/src/browser/process/browser-process.js';
import { launchBrowser as launch, type LaunchOptions } from '../../kernel/src/browser/process/launch.js';
import { silentLogger } from '../../kernel/src/logger.js';

// In the projects `browser` and `slow`, `.config/vitest.ts` puts this in the place of the kernel's `launch.js`: all kernels of a test
// process share one browser for each binary. Each render still has its own browser context, as in a server.

/** The next one starts another browser: its memory grows with its pages. */
const MAX_USERS = 100;

interface SharedBrowser {
  readonly started: Promise<BrowserProcess>;
  /** Once it has started. */
  process: BrowserProcess | undefined;
  /** Kernels that have used it, and those that use it. */
  total: number;
  users: number;
}

const running = new Map<string, SharedBrowser>();

// The test runner ends its processes with this signal, and browsers end on `exit`.
process.once('SIGTERM', () => process.exit());

/** A browser with switches or certificates of its own is not shared. */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  const { browser, noSandbox, switches, certificates } = options;
  if (switches.length > 0 || certificates !== undefined) return launch(options);
  const key = JSON.stringify([browser, noSandbox]);
  const known = running.get(key);
  const isUsable = known !== undefined && known.process?.gone !== true && known.total < MAX_USERS;
  const shared = isUsable ? known : start(key, options);
  if (!isUsable && known?.users === 0) void known.process?.close();
  shared.total += 1;
  shared.users += 1;
  return lend(await shared.started, () => {
    shared.users -= 1;
    if (shared.users === 0 && running.get(key) !== shared) void shared.process?.close();
  });
}

function start(key: string, options: LaunchOptions): SharedBrowser {
  const started = launch({ ...options, signal: new AbortController().signal, log: silentLogger });
  const shared: SharedBrowser = { started, process: undefined, total: 0, users: 0 };
  running.set(key, shared);
  started.then(
    (process) => (shared.process = process),
    () => running.delete(key),
  );
  return shared;
}

/** The browser for one of its users, for whom alone closing ends it. */
function lend(browser: BrowserProcess, end: () => void): BrowserProcess {
  let isClosed = false;
  let leave: (exit: number) => void;
  const left = new Promise<number>((resolve) => (leave = resolve));
  return Object.create(browser, {
    gone: { get: () => isClosed || browser.gone },
    exited: { value: Promise.race([browser.exited, left]) },
    close: {
      async value() {
        if (isClosed) return;
        isClosed = true;
        end();
        leave(0);
      },
    },
  }) as BrowserProcess;
}
