import type { EventPayload, Logger, TargetSession } from '@platen/kernel';
import type { Spool } from '@platen/lib-spool';
import type { VideoSize } from './captions-area.js';

/** Between two recorded frames of a tab: at most 30 a second. The last one before a pause is always recorded. */
const INTERVAL_MS = 1000 / 30;
const JPEG_QUALITY = 80;
/** The recording ends with either. */
export const MAX_MINUTES = 15;
const MAX_BYTES = 512 * 1024 * 1024;

/** A tab's viewport when a frame was drawn. */
export interface Viewport {
  /** In pixels that do not depend on the device, as the frame shows it. */
  readonly width: number;
  readonly height: number;
  /** Such pixels of a CSS pixel: other than 1 where a mobile page is wider than its device. */
  readonly scale: number;
}

/** The screen from this moment on, until the next frame. */
export interface ScreenFrame {
  /** `performance.now()`. */
  readonly at: number;
  readonly viewport: Viewport;
  /** JPEG. */
  read(): Promise<Buffer>;
}

/** Records the pages of a render by `Page.startScreencast`, each in a session of its own: the pages do not notice. */
export interface ScreenRecording {
  readonly frames: readonly ScreenFrame[];
  /** It has ended before the navigation. */
  readonly isTruncated: boolean;
  /** Records this page too. Never rejects. */
  follow(target: TargetSession): Promise<void>;
  /** This is the page that the video shows from now on. */
  show(targetId: string): void;
  /** The newest frame is recorded, whatever follows. */
  mark(): void;
  /** Discards the frames so far. */
  restart(): void;
  viewportOf(targetId: string): Viewport | undefined;
  stop(): void;
}

export interface ScreenOptions {
  /** Of the video: frames are not larger. */
  readonly size: VideoSize;
  readonly spool: Spool;
  readonly log: Logger;
}

interface Drawn {
  readonly at: number;
  readonly viewport: Viewport;
  readonly jpeg: Buffer;
}

export function recordScreen({ size, spool, log }: ScreenOptions): ScreenRecording {
  const track = createTrack(spool);
  const latest = new Map<string, Drawn>();
  const followed = new Set<string>();
  const stops: (() => void)[] = [];
  // Frames have the time of the system's clock, which may be set; events have the monotonic one.
  const clock = Date.now() - performance.now();
  let shown: string | undefined;
  let isStopped = false;
  const draw = (targetId: string, { data, metadata }: EventPayload<'Page.screencastFrame'>): void => {
    const { timestamp, deviceWidth: width, deviceHeight: height, pageScaleFactor: scale } = metadata;
    const now = performance.now();
    const at = timestamp === undefined ? now : Math.min(timestamp * 1000 - clock, now);
    const drawn = { at, viewport: { width, height, scale }, jpeg: Buffer.from(data, 'base64') };
    latest.set(targetId, drawn);
    if (targetId === shown) track.add(drawn);
    if (track.isFull()) stop();
  };
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    track.mark();
    latest.clear();
    for (const end of stops) end();
  };
  const follow = async (target: TargetSession): Promise<void> => {
    const session = await target.openSession();
    session.on('Page.screencastFrame', (frame) => {
      session.send('Page.screencastFrameAck', { sessionId: frame.sessionId }).catch(() => undefined);
      if (!isStopped) draw(target.targetId, frame);
    });
    stops.push(() => void session.send('Page.stopScreencast').catch(() => undefined));
    const { width: maxWidth, height: maxHeight } = size;
    await session.send('Page.startScreencast', { format: 'jpeg', quality: JPEG_QUALITY, maxWidth, maxHeight });
  };
  return {
    ...{ frames: track.frames, mark: track.mark, restart: track.restart },
    get isTruncated() {
      return track.isFull();
    },
    async follow(target) {
      if (followed.has(target.targetId) || isStopped) return;
      followed.add(target.targetId);
      await follow(target).catch((error: unknown) => log.debug({ err: error }, 'a page is not in the video of the navigation'));
    },
    show(targetId) {
      if (targetId === shown || isStopped) return;
      shown = targetId;
      track.mark();
      const drawn = latest.get(targetId);
      if (drawn !== undefined) track.add({ ...drawn, at: performance.now() });
    },
    viewportOf: (targetId) => latest.get(targetId)?.viewport,
    stop,
  };
}

/** The frames of the video, in order of their time. The newest one is not stored until the next one shows whether it was seen. */
function createTrack(spool: Spool) {
  const frames: ScreenFrame[] = [];
  let newest: Drawn | undefined;
  let bytes = 0;
  let isFull = false;
  const mark = (): void => {
    if (newest === undefined || isFull) return;
    const { at, viewport, jpeg } = newest;
    const [first] = frames;
    bytes += jpeg.length;
    isFull = bytes > MAX_BYTES || (first !== undefined && at - first.at > MAX_MINUTES * 60_000);
    newest = undefined;
    const writer = spool.openWriter();
    if (isFull || !writer.write(jpeg)) return;
    writer.end();
    frames.push({ at, viewport, read: async () => Buffer.concat(await writer.open().toArray()) });
  };
  return {
    frames,
    mark,
    isFull: () => isFull,
    add(drawn: Drawn): void {
      const last = frames.at(-1)?.at ?? -Infinity;
      if (newest !== undefined && newest.at - last >= INTERVAL_MS) mark();
      // Frames of another tab may be older than its appearance in the video.
      newest = { ...drawn, at: Math.max(drawn.at, newest?.at ?? last) };
    },
    restart(): void {
      frames.length = 0;
      newest = undefined;
      bytes = 0;
    },
  };
}
