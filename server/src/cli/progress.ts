import type { Io } from './io.js';

const TICK_MS = 200;

/** Shows the render's progress on one line of stderr; silent if stderr is not a terminal. */
export interface Progress extends Disposable {
  phase(name: string): void;
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

export function showProgress({ stderr }: Io): Progress {
  if (stderr.isTTY !== true) return { phase() {}, [Symbol.dispose]() {} };
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
    [Symbol.dispose]() {
      clearInterval(timer);
      stderr.write('\r\u001b[K');
    },
  };
}
