import type { EventPayload, Logger, TargetSession } from '@platen/kernel';
import type { Spool } from '@platen/lib-spool';
import type { VideoSize } from './captions-area.js';

/** Between two recorded frames: at most 30 a second. The last one before a pause is always recorded. */
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
  /** JPEG. */
  read(): Promise<Buffer>;
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

/** Records the tabs of a render by `Page.startScreencast`, each in a session of its own, which the page does not notice. */
export class ScreenRecorder {
  readonly frames: ScreenFrame[] = [];
  readonly #options: ScreenOptions;
  readonly #latest = new Map<string, Drawn>();
  readonly #followed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  /** Frames have the time of the system's clock, which may be set; events have the monotonic one. */
  readonly #clock = Date.now() - performance.now();
  /** Of the tab shown. It is stored when the next one shows that it was seen. */
  #newest: Drawn | undefined;
  #shown: string | undefined;
  #bytes = 0;
  #isStopped = false;
  #isTruncated = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /** It has ended before the navigation. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  viewportOf(targetId: string): Viewport | undefined {
    return this.#latest.get(targetId)?.viewport;
  }

  /** Records this page too. Never rejects. */
  async follow(target: TargetSession): Promise<void> {
    if (this.#followed.has(target.targetId) || this.#isStopped) return;
    this.#followed.add(target.targetId);
    try {
      const session = await target.openSession();
      session.on('Page.screencastFrame', (frame) => {
        session.send('Page.screencastFrameAck', { sessionId: frame.sessionId }).catch(() => undefined);
        this.#draw(target.targetId, frame);
      });
      this.#stops.push(() => void session.send('Page.stopScreencast').catch(() => undefined));
      const { width: maxWidth, height: maxHeight } = this.#options.size;
      await session.send('Page.startScreencast', { format: 'jpeg', quality: JPEG_QUALITY, maxWidth, maxHeight });
    } catch (error) {
      this.#options.log.debug({ err: error }, 'a page is not in the video of the navigation');
    }
  }

  /** The video shows this page from now on. */
  show(targetId: string): void {
    if (targetId === this.#shown || this.#isStopped) return;
    this.#shown = targetId;
    this.mark();
    const drawn = this.#latest.get(targetId);
    if (drawn !== undefined) this.#newest = { ...drawn, at: performance.now() };
  }

  /** Discards the frames so far. */
  restart(): void {
    this.frames.length = 0;
    this.#newest = undefined;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.mark();
    this.#isStopped = true;
    this.#latest.clear();
    for (const stop of this.#stops) stop();
  }

  /** Stores the newest frame, whatever follows. */
  mark(): void {
    if (this.#newest === undefined || this.#isStopped) return;
    const { at, jpeg } = this.#newest;
    this.#newest = undefined;
    this.#bytes += jpeg.length;
    const writer = this.#options.spool.openWriter();
    const isLate = at - (this.frames[0]?.at ?? at) > MAX_MINUTES * 60_000;
    if (isLate || this.#bytes > MAX_BYTES || !writer.write(jpeg)) {
      this.#isTruncated = true;
      this.stop();
      return;
    }
    writer.end();
    this.frames.push({ at, read: async () => Buffer.concat(await writer.open().toArray()) });
  }

  #draw(targetId: string, { data, metadata }: EventPayload<'Page.screencastFrame'>): void {
    if (this.#isStopped) return;
    const { timestamp, deviceWidth: width, deviceHeight: height, pageScaleFactor: scale } = metadata;
    const now = performance.now();
    const at = timestamp === undefined ? now : Math.min(timestamp * 1000 - this.#clock, now);
    const drawn = { at, viewport: { width, height, scale }, jpeg: Buffer.from(data, 'base64') };
    this.#latest.set(targetId, drawn);
    if (targetId !== this.#shown) return;
    const last = this.frames.at(-1)?.at ?? -Infinity;
    if (this.#newest !== undefined && this.#newest.at - last >= INTERVAL_MS) this.mark();
    // It may have been drawn before its tab was shown.
    this.#newest = { ...drawn, at: Math.max(at, this.#newest?.at ?? last) };
  }
}
