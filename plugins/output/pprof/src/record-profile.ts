import { isPlatenError, PlatenError, type RenderContext, type TargetSession } from '@platen/kernel';
import { followOwnScripts, type OwnScripts } from './stack.js';
import type { Sampler } from './sampler.js';

/** The data of one target's profiler. */
export interface Segment<T> {
  readonly target: string;
  /** The URL of the target when its profiler stopped. */
  readonly url: string;
  /** Scripts of the target's isolate that are not the page's. */
  readonly own: OwnScripts;
  readonly profile: T;
}

export interface ProfileRecorder<T> {
  /** Stores the data recorded so far and continues. Never rejects. */
  take(): Promise<void>;
  /** The same for workers only, including busy ones: their debugger must be enabled to pause them. */
  takeWorkers(): Promise<void>;
  /** Stops all targets' profilers and returns all recorded data. Rejects if the captured page has no data. */
  stop(options: StopOptions): Promise<readonly Segment<T>[]>;
}

export interface StopOptions {
  /** The page, or a popup in its place. */
  readonly captured: TargetSession;
  readonly wholeNavigation: boolean;
}

/** A script that still runs after this time, when all waits are over, may never end. */
const BUSY_MS = 4000;
/** After the render's timeout: the script that still runs is its cause, so it is interrupted sooner. */
const LATE_BUSY_MS = 200;

interface Stopped<T> extends Segment<T> {
  readonly isolate: string;
}

/** Profiles every present and future target of the render from the start of its first script. */
export function recordProfile<T>({ page, log, signal }: RenderContext, sampler: Sampler<T>): ProfileRecorder<T> {
  const seen: TargetSession[] = [];
  const ownScripts = new Map<string, OwnScripts>();
  page.targets.configure((target) => {
    if (target.kind === 'worklet') return [];
    const earlier = [...seen];
    seen.push(target);
    ownScripts.set(target.targetId, followOwnScripts(target));
    if (sampler.oneAnIsolate && isPopup(target)) return [startOnceAlone(target, { sampler, earlier })];
    return sampler.start(target);
  });
  const ownOf = ({ targetId }: TargetSession): OwnScripts => new Set(ownScripts.get(targetId));
  const stopTarget = (target: TargetSession) => stopSampler(target, { sampler, ownOf, busyMs: signal.aborted ? LATE_BUSY_MS : BUSY_MS });
  const targets = () => page.targets.all.filter(({ kind }) => kind !== 'worklet');
  const nothing = (target: TargetSession) => (error: unknown) => {
    log.debug({ err: error, kind: target.kind }, 'a target returned no profile');
    return undefined;
  };
  const quietly = (target: TargetSession) => stopTarget(target).catch(nothing(target));
  const taken: Segment<T>[] = [];
  const take = async (): Promise<void> => {
    const restart = (target: TargetSession) => stopTarget(target).then((stopped) => Promise.all(sampler.start(target)).then(() => stopped));
    const stopped = await Promise.all(targets().map((target) => restart(target).catch(nothing(target))));
    taken.push(...onePerIsolate(stopped));
  };
  const takeWorkers = async (): Promise<void> => {
    const workers = targets().filter(({ kind }) => kind === 'worker' || kind === 'shared_worker');
    const restart = (target: TargetSession) => {
      // Sent concurrently and in order: commands sent during a pause are processed until the handler of pauses resumes it.
      target.send('Debugger.pause').catch(() => undefined);
      const stopped = stopSampler(target, { sampler, ownOf });
      for (const sent of sampler.start(target)) sent.catch(() => undefined);
      return stopped;
    };
    const stopped = await Promise.all(workers.map((target) => restart(target).catch(nothing(target))));
    taken.push(...onePerIsolate(stopped));
  };
  const stop = async ({ captured, wholeNavigation }: StopOptions): Promise<readonly Segment<T>[]> => {
    const others = targets().filter(({ targetId }) => ![page.targetId, captured.targetId].includes(targetId));
    const stopOthers = () => Promise.all(others.map(quietly));
    // Sent concurrently and in order: whichever target of an isolate comes first stops its heap profiler, and has the samples.
    if (captured.primary) {
      const [own, stopped] = await Promise.all([stopTwice(() => stopTarget(page)), stopOthers()]);
      return [...taken, ...onePerIsolate([own, ...stopped])];
    }
    const [[opener, popup], stopped] = await Promise.all([Promise.all([page, captured].map(quietly)), stopOthers()]);
    return [...taken, ...ofPopup({ opener, popup, others: stopped, wholeNavigation })];
  };
  return { take, takeWorkers, stop };
}

/**
 * A document that is replaced now loses its profile: the next document has its own. A page can also end its profiler permanently: closing a
 * popup ends the sampling of the isolate that both share.
 */
async function stopTwice<T>(stop: () => Promise<T>): Promise<T> {
  try {
    return await stop();
  } catch (error) {
    if (isPlatenError(error)) throw error;
  }
  return stop().catch((cause: unknown) => {
    throw isPlatenError(cause) ? cause : profilerEnded(cause);
  });
}

function profilerEnded(cause?: unknown): PlatenError {
  return new PlatenError('page_unstable', 'the profiler of the page ended before the page was captured', { cause });
}

interface PopupProfiles<T> extends Pick<StopOptions, 'wholeNavigation'> {
  readonly opener: Stopped<T> | undefined;
  readonly popup: Stopped<T> | undefined;
  readonly others: readonly (Stopped<T> | undefined)[];
}

/** If a popup was captured. One of the two may have the samples of both. */
function ofPopup<T>({ opener, popup, others, wholeNavigation }: PopupProfiles<T>): readonly Segment<T>[] {
  if (opener === undefined && popup === undefined) throw profilerEnded();
  if (wholeNavigation) return onePerIsolate([opener, popup, ...others]);
  return asPage(onePerIsolate([popup, opener, ...others]), popup);
}

/** The captured popup as the page, without pages of other isolates. A popup without samples shares the isolate of its opener. */
function asPage<T>(segments: readonly Stopped<T>[], popup: Stopped<T> | undefined): readonly Segment<T>[] {
  if (popup === undefined) return segments;
  return segments.flatMap((segment) => {
    if (segment.isolate === popup.isolate) return [{ ...segment, target: 'page' }];
    return PAGES.has(segment.target) ? [] : [segment];
  });
}

interface Stopping<T> {
  readonly sampler: Sampler<T>;
  readonly ownOf: (target: TargetSession) => OwnScripts;
  readonly busyMs?: number;
}

async function stopSampler<T>(target: TargetSession, { sampler, ownOf, busyMs }: Stopping<T>): Promise<Stopped<T>> {
  const [{ targetInfo }, { id: isolate }, profile] = await Promise.all([
    target.send('Target.getTargetInfo'),
    target.send('Runtime.getIsolateId', undefined, { timeoutMs: Infinity }),
    sampler.stop(target, busyMs),
  ]);
  return { target: nameTarget(target), url: targetInfo.url, own: ownOf(target), isolate, profile };
}

/** Pages and frames of one process share an isolate: each profile contains the work of all. */
function onePerIsolate<T>(stopped: readonly (Stopped<T> | undefined)[]): readonly Stopped<T>[] {
  const byIsolate = new Map<string, Stopped<T>>();
  for (const one of stopped) {
    if (one === undefined) continue;
    const first = byIsolate.get(one.isolate);
    byIsolate.set(one.isolate, first ? { ...first, own: new Set([...first.own, ...one.own]) } : one);
  }
  return [...byIsolate.values()];
}

function isPopup({ kind, primary }: TargetSession): boolean {
  return kind === 'page' && !primary;
}

const PAGES: ReadonlySet<string> = new Set(['page', 'popup']);

function nameTarget(target: TargetSession): string {
  return isPopup(target) ? 'popup' : target.kind;
}

interface LateStart<T> {
  readonly sampler: Sampler<T>;
  readonly earlier: readonly TargetSession[];
}

/**
 * Closing a popup would end the sampling of the page that opened it: it is sampled only once it has its own isolate. Checked at this moment,
 * and again with each of its documents: a popup of another site begins in the isolate of its opener.
 */
async function startOnceAlone<T>(target: TargetSession, { sampler, earlier }: LateStart<T>): Promise<void> {
  const check = async (): Promise<void> => {
    const [own, ...others] = await Promise.all([target, ...earlier].map(askIsolate));
    // Starting it twice changes nothing, but a command that is sent while the target changes its process may be lost.
    if (own && !others.includes(own)) await Promise.all(sampler.start(target));
  };
  target.on('Page.frameNavigated', ({ frame: { parentId } }) => {
    if (parentId === undefined) check().catch(() => undefined);
  });
  await check();
}

function askIsolate(target: TargetSession): Promise<string | undefined> {
  return target.send('Runtime.getIsolateId').then(
    ({ id }) => id,
    () => undefined,
  );
}
