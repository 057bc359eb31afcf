import type { Progress as WalkProgress } from '@platen/kernel';
import { withoutKeyForm } from '../boot/explain-error.js';
import type { Io } from '../boot/io.js';

const TICK_MS = 200;
/** Least time between two lines about a walk. */
const LINE_MS = 5000;
const BAR_COLUMNS = 20;

/** Shows the render's progress on one line of stderr. Without a terminal, only walks are reported, in lines. */
export interface Progress extends Disposable {
  phase(name: string): void;
  pages(progress: WalkProgress): void;
}

const WORDS: Readonly<Record<string, string>> = {
  queue: 'waiting for a browser',
  open: 'opening a page',
  beforeNavigate: 'preparing the page',
  navigate: 'loading',
  wait: 'waiting until the page is ready',
  capture: 'capturing',
  additionalAssets: 'collecting assets',
  encode: 'encoding',
  write: 'writing',
};

/** Failures that the summary of a walk names. */
const MAX_FAILURES = 5;
const MAX_REASON = 200;

/** It ends with a summary, if a walk was reported. */
export function showProgress({ stderr }: Io): Progress {
  const inner = stderr.isTTY === true ? showLine(stderr) : writeLines(stderr);
  const failures: string[] = [];
  let last: WalkProgress | undefined;
  return {
    phase: inner.phase,
    pages(progress) {
      last = progress;
      if (progress.failure !== undefined && failures.length < MAX_FAILURES) failures.push(describeFailure(progress.url, progress.failure));
      inner.pages(progress);
    },
    [Symbol.dispose]() {
      inner[Symbol.dispose]();
      if (last !== undefined) stderr.write(summarize(last, failures));
    },
  };
}

function summarize(last: WalkProgress, failures: readonly string[]): string {
  const more = last.failed - failures.length;
  return [
    `${describe(last)}${last.stopReason === undefined ? '' : `; stopped by ${last.stopReason}`}`,
    ...failures,
    ...(more > 0 && failures.length > 0 ? [`  and ${String(more)} more`] : []),
    '',
  ].join('\n');
}

/** One line. */
function describeFailure(url: string, reason: string): string {
  return `  ${url.slice(0, MAX_REASON)}: ${withoutKeyForm(reason)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_REASON)}`;
}

function showLine(stderr: Io['stderr']): Progress {
  const startedAt = performance.now();
  let current = 'starting';
  const draw = () => {
    stderr.write(`\r\u001b[K${current} … ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  const timer = setInterval(draw, TICK_MS);
  return {
    phase(name) {
      current = WORDS[name] ?? name;
      draw();
    },
    pages(progress) {
      current = `${bar(progress)} ${describe(progress)}`;
      draw();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      stderr.write('\r\u001b[K');
    },
  };
}

function writeLines(stderr: Io['stderr']): Progress {
  let writtenAt = -Infinity;
  return {
    phase() {},
    pages(progress) {
      if (progress.unit === undefined && performance.now() - writtenAt < LINE_MS) return;
      writtenAt = performance.now();
      stderr.write(`${describe(progress)}: ${(progress.note ?? progress.url).replaceAll(/\p{Cc}+/gu, ' ')}\n`);
    },
    [Symbol.dispose]() {},
  };
}

/** The number of queued pages grows while links are found. */
function bar({ done, failed, queued }: WalkProgress): string {
  const share = (done + failed) / Math.max(1, done + failed + queued);
  const full = Math.round(share * BAR_COLUMNS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_COLUMNS - full)}]`;
}

function describe({ unit, done, queued, failed, bytes }: WalkProgress): string {
  if (unit === 'step') return `step ${String(done)} of ${String(done + queued)}`;
  return `${String(done)} ${done === 1 ? 'page' : 'pages'}, ${String(queued)} queued, ${String(failed)} failed, ${(bytes / 1e6).toFixed(1)} MB`;
}
