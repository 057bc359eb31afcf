import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AssetStore,
  callOnAbort,
  isPlatenError,
  type Kernel,
  type Logger,
  type Output,
  PlatenError,
  type RenderPlan,
  type RenderResult,
} from '@platen/kernel';
import { DiskStore } from '../assets/disk-store.js';
import type { Boot } from '../boot/boot.js';
import type { Io } from '../boot/io.js';
import { extensionWarning } from '../boot/output-type.js';
import { EXIT, OutputError } from '../flags/exit-codes.js';
import { UsageError } from '../flags/usage-error.js';
import { keepFileName, nameFile } from '../service/file-name.js';
import type { ServerHooks } from '../service/hooks.js';
import { logRequests } from '../service/log-requests.js';
import { toPlatenError } from '../service/problem.js';
import { renderRequest } from '../service/render-service.js';
import { servePlugins } from '../service/server-api.js';
import type { CaptureTarget } from './local-target.js';
import { showProgress } from './progress.js';
import { declaredOutputs, readCapture, withOutputType } from './read-capture.js';
import { stateOf, type StoredState } from './render-state.js';
import { aborted, watchStopSignals } from './stop-signals.js';
import { createNamedAssets, type NamedAssets } from './write-named-assets.js';
import { assertWritable, targetOf, writeAssets, writeToFile, writeToNewFile, writeToStream } from './write-output.js';

/**
 * `platen URL [FILE]`: renders once and writes the output. Resolves with the exit code, or throws the error.
 *
 * @param onPlanned called once the request is found to be valid
 */
export async function runCapture(boot: Boot, io: Io, onPlanned?: () => void): Promise<number> {
  assertNoServerFlag(boot.spoken);
  const { target, file } = await readCapture(boot, io);
  using signals = watchStopSignals();
  const kernel = boot.createKernel();
  try {
    const raw = withOutputType({ ...boot.request, ...target.params }, { file, kernel, boot });
    if (file !== undefined && file !== '-') {
      if (resolve(io.cwd, file) === sourceOf(target))
        throw new UsageError(`the output would replace ${file}, the document that is rendered`);
      await assertWritable(resolve(io.cwd, file));
    }
    const rendering = capture({ boot, kernel, io, raw, file, onPlanned, ...target }, signals.stop);
    await Promise.race([rendering, aborted(signals.force)]);
    return signals.stop.aborted ? signals.exitCode() : EXIT.ok;
  } catch (error) {
    if (signals.stop.aborted) return signals.exitCode();
    throw error;
  } finally {
    await Promise.race([kernel.close(0), aborted(signals.force)]);
  }
}

/**
 * A single capture would silently ignore server flags. In the environment and in the config file they are allowed: they may be there for a
 * server on the same host.
 */
function assertNoServerFlag(spoken: readonly string[]): void {
  const flag = spoken.find((name) => name.startsWith('server-'));
  if (flag !== undefined) throw new UsageError(`--${flag} is a flag of servers`, 'add --server to start one, or omit the flag');
}

interface Capture extends Pick<CaptureTarget, 'readLocalFile' | 'fileUrl'> {
  readonly boot: Boot;
  readonly kernel: Kernel;
  readonly io: Io;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly file: string | undefined;
  readonly onPlanned: (() => void) | undefined;
}

async function capture(job: Capture, stop: AbortSignal): Promise<void> {
  const { boot, kernel, io, file, raw, fileUrl: url = String(raw.url) } = job;
  const target = file === undefined || file === '-' ? undefined : await targetOf(resolve(io.cwd, file));
  const restart = boot.flags.restart === true;
  const state = target === undefined ? undefined : stateOf({ target, name: file ?? '', url, outputType: raw.output_type, restart });
  await using store = openTemporaryStore(boot.log);
  const hooks = servePlugins({ kernel, flags: boot.flags, listen: refuseToListen, store });
  logRequests(hooks, boot.log);
  const record = createRecorder(hooks, job.onPlanned);
  const named = createNamedAssets({ file: target === undefined ? undefined : file, url, io });
  try {
    const { name, bytes, assets, output } = await renderAndWrite({ ...job, hooks, store, record, state, named }, stop);
    if (file === undefined || (file !== '-' && io.stderr.isTTY === true)) io.stderr.write(`${name} (${String(bytes)} bytes)\n`);
    const plan = record.plan();
    if (plan === undefined) return;
    const note = extensionWarning({ file: name, type: plan.output.type, output }, declaredOutputs(kernel));
    if (note !== undefined) io.stderr.write(`platen: note: ${note}\n`);
    await writeAssets(assets, plan, { file: name, source: sourceOf(job), io });
    named.report();
    // Last: the same command writes again what an interruption has prevented.
    await state?.remove();
    const other = await state?.describe();
    if (other !== undefined) io.stderr.write(`platen: note: ${other}\n`);
  } catch (error) {
    await writeWhatIsLeft(error, job, record.plan());
    const hint = await state?.describe();
    if (hint !== undefined) io.stderr.write(`platen: ${hint}\n`);
    record.failed(error);
    // The state of the render is opened by a plugin.
    throw isPlatenError(error) && (error.cause instanceof UsageError || error.cause instanceof OutputError) ? error.cause : error;
  }
}

function refuseToListen(): Promise<never> {
  return Promise.reject(new UsageError('a single render cannot open a listener', 'use `--server`'));
}

/** A failed render may leave assets: they show the cause. */
async function writeWhatIsLeft(error: unknown, { io, file = '-', fileUrl }: Capture, plan: RenderPlan | undefined): Promise<void> {
  if (plan === undefined || !isPlatenError(error) || error.assets === undefined) return;
  await writeAssets(error.assets, plan, { file, source: sourceOf({ fileUrl }), io });
}

/** The path of a document of the user, which no file of the render may replace. */
function sourceOf({ fileUrl }: { readonly fileUrl?: string | undefined }): string | undefined {
  return fileUrl === undefined ? undefined : fileURLToPath(fileUrl);
}

interface Rendering extends Capture {
  readonly hooks: ServerHooks;
  readonly store: AssetStore;
  readonly record: ReturnType<typeof createRecorder>;
  /** Undefined: the output is not a file that others can be beside. */
  readonly state: StoredState | undefined;
  readonly named: NamedAssets;
}

async function renderAndWrite(
  { boot: { log }, kernel, io, raw, file, readLocalFile, hooks, store, record, state, named }: Rendering,
  stop: AbortSignal,
): Promise<Written> {
  const controller = new AbortController();
  const interrupt = () => {
    controller.abort(new PlatenError('client_closed', 'interrupted'));
  };
  callOnAbort(stop, interrupt);
  using progress = showProgress(io);
  const resolveLocalPath = (path: string) => resolve(io.cwd, path);
  const from = { id: record.id, endpoint: ENDPOINT, source: 'flags', raw } as const;
  const request = { ...from, signal: controller.signal, resolveLocalPath, publishAsset: named.publish };
  const result = await renderRequest(
    { kernel, hooks, store, log },
    { ...request, readLocalFile, onPlanned: record.planned, onPhase: progress.phase, onProgress: progress.pages, openState: state?.open },
  );
  progress.phase('write');
  const { output } = result;
  const own = output.filename === undefined ? '' : keepFileName(output.filename);
  const isOwn = file === undefined && own !== '';
  const name = isOwn ? own : (file ?? nameFile(record.plan()?.url ?? '', output.extension));
  const path = resolve(io.cwd, name);
  const bytes = await (name === '-'
    ? writeToTerminal(output, io)
    : isOwn
      ? writeToNewFile(output, path)
      : writeToFile(output, path, state?.folder));
  record.wrote(result, bytes);
  return { name, bytes, assets: result.assets, output };
}

interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly assets: RenderResult['assets'];
  readonly output: Output;
}

const ENDPOINT = 'command line';

async function writeToTerminal(output: Output, { stdout }: Io): Promise<number> {
  if (stdout.isTTY === true && !isText(output.contentType)) {
    throw new UsageError(`${output.contentType} cannot be shown in a terminal`, 'redirect it to a pipe or a file');
  }
  return await writeToStream(output, stdout);
}

function isText(contentType: string): boolean {
  return /^text\/|json|xml|yaml/.test(contentType);
}

function createRecorder(hooks: Pick<ServerHooks, 'finished'>, onPlanned: Capture['onPlanned']) {
  const startedAt = performance.now();
  const id = randomUUID();
  let plan: RenderPlan | undefined;
  const base = () => ({ id, endpoint: ENDPOINT, durationMs: performance.now() - startedAt, ...(plan === undefined ? {} : { plan }) });
  return {
    id,
    plan: () => plan,
    planned(decided: RenderPlan) {
      plan = decided;
      onPlanned?.();
    },
    wrote({ timings }: RenderResult, bytes: number) {
      hooks.finished.call({ ...base(), status: 200, timings, bytes });
    },
    failed(thrown: unknown) {
      const error = toPlatenError(thrown);
      hooks.finished.call({ ...base(), status: error.status, code: error.code, error, bytes: 0 });
    },
  };
}

/** A store for one render, whose assets are copied to files of the user; disposing of the store removes it. */
function openTemporaryStore(log: Logger): AssetStore & AsyncDisposable {
  const folder = join(tmpdir(), `platen-assets-${randomUUID()}`);
  const store = new DiskStore({ folders: [folder], lifetimeSeconds: 1, maxBytes: Infinity, log });
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      store.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
