import { relative } from 'node:path';
import { type ExplainedHook, type RenderPlan, silentLogger } from '@platen/kernel';
import { boot } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';
import { EXIT } from '../flags/exit-codes.js';
import { planRequest } from '../service/render-service.js';
import { readCapture, withOutputType } from './read-capture.js';

/** The kernel's own part of a hook: what happens where no tap does it. */
const OWN_PART: Readonly<Record<string, string>> = {
  navigate: 'the kernel loads the URL, unless a tap navigates',
  waitFor: 'the kernel waits for the load event, unless a tap waits',
};

/** `platen explain URL [FILE] [--KEY VALUE]`: the plan of a render, and each hook with the taps that will run. No browser starts. */
export async function explain(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  const isJson = args.includes('--json');
  const booted = await boot(
    args.filter((arg) => arg !== '--json'),
    io,
    catalog,
  );
  const { target, file } = await readCapture(booted, io);
  const kernel = booted.createKernel(silentLogger);
  try {
    const raw = withOutputType({ ...booted.request, ...target.params }, { file, kernel, boot: booted });
    const plan = planRequest(kernel, { raw, source: 'flags' });
    const hooks = kernel
      .explain(plan)
      .map(({ name, taps }) => ({ name, taps: taps.map((tap) => ({ ...tap, file: shorten(tap.file, io) })) }));
    io.stdout.write(isJson ? `${JSON.stringify({ plan: withoutValues(plan), hooks }, null, 2)}\n` : format(plan, hooks));
    return EXIT.ok;
  } finally {
    await kernel.close(0);
  }
}

/** Parameters may contain passwords: only their names are shown. */
function withoutValues({ params, url: _url, ...plan }: RenderPlan) {
  return { params: Object.keys(params), ...plan };
}

function shorten(file: string | undefined, { cwd }: Io): string | undefined {
  if (file === undefined) return undefined;
  const [, inPackage] = /[\\/]node_modules[\\/](.*)$/.exec(file) ?? [];
  const path = relative(cwd, file);
  return inPackage ?? (path.startsWith('..') ? file : path);
}

function format(plan: RenderPlan, hooks: readonly ExplainedHook[]): string {
  const { output, capture, assets, browser, profile, timeoutMs, params } = plan;
  const { width, height, deviceScaleFactor } = profile;
  const rows = [
    ['output', `${output.type} (${output.contentType})`],
    ['capture', `${capture.kind}${capture.streaming === true ? ', streamed: the browser stays open until it has been read' : ''}`],
    ['assets', assets.map(({ name }) => name).join(', ') || 'none'],
    ['parameters', Object.keys(params).join(', ')],
    ['viewport', `${String(width)} x ${String(height)}, scale factor ${String(deviceScaleFactor)}`],
    [
      'browser',
      `${browser.variant}${browser.exclusive ? ', dedicated' : ''}${browser.scaled === true ? ', with the native scale factor' : ''}`,
    ],
    ['timeout', timeoutMs === null ? 'none' : `${String(timeoutMs / 1000)} s`],
    ['retry', plan.retryable ? 'once, if the browser is lost' : 'no: the render may have side effects'],
  ];
  const table = rows.map(([title = '', text = '']) => `  ${title.padEnd(20)} ${text}`);
  return ['Plan', ...table, '', 'Hooks, in the order in which they run', ...hooks.flatMap(formatHook), ''].join('\n');
}

function formatHook({ name, taps }: ExplainedHook): readonly string[] {
  const own = OWN_PART[name];
  const lines = [
    ...taps.map(({ plugin, file }) => `${plugin.padEnd(20)} ${file ?? ''}`.trimEnd()),
    ...(own === undefined ? [] : [`(${own})`]),
  ];
  return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(20)} ${line}`);
}
