import { gunzipSync } from 'node:zlib';
import { TraceModel, type Types } from '@paulirish/trace_engine';

export interface ReadTrace {
  readonly events: readonly Types.Events.Event[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** URLs of the main frame's navigations. */
  readonly navigations: readonly string[];
  /** What the time line covers, in microseconds. */
  readonly bounds: { readonly min: number; readonly max: number };
  /** Names of the functions in the CPU profiles of all threads. */
  readonly functions: ReadonlySet<string>;
  /** Pictures of the filmstrip, encoded. */
  readonly pictures: readonly Buffer[];
}

/** Reads a trace by the engine of Chromium's own DevTools, which rejects what its Performance panel could not show. */
export async function readTrace(bytes: Buffer): Promise<ReadTrace> {
  const text = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  const file = JSON.parse(text.toString());
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(file.traceEvents, { metadata: file.metadata });
  const data = model.parsedTrace()?.data;
  if (data === undefined) throw new Error('DevTools found nothing in the trace');
  const profiles = [...data.Samples.profilesInProcess.values()].flatMap((threads) => [...threads.values()]);
  return {
    events: file.traceEvents,
    metadata: file.metadata,
    navigations: data.Meta.mainFrameNavigations.map(({ args }) => args.data?.documentLoaderURL ?? ''),
    bounds: data.Meta.traceBounds,
    functions: new Set(profiles.flatMap(({ parsedProfile }) => parsedProfile.nodes()?.map(({ functionName }) => functionName) ?? [])),
    pictures: (data.Screenshots.screenshots ?? []).map(({ args }) => Buffer.from(args.snapshot, 'base64')),
  };
}
