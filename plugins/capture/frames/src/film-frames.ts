import { setTimeout as delay } from 'node:timers/promises';
import type { Film } from './film.js';
import type { Pace } from './pace.js';
import type { Screencast } from './screencast.js';
import type { VirtualCamera } from './virtual-camera.js';
import type { Activity } from './watch-activity.js';

/** How long a picture may be under way from the browser, in milliseconds. */
const GRACE_MS = 100;

export interface LiveFilm {
  readonly screencast: Screencast;
  readonly film: Film;
  /** Rejects when no more pictures will come. */
  readonly failed: Promise<never>;
}

/** All frames of a screencast, each when its moment has come. */
export async function* filmLive({ screencast, film, failed }: LiveFilm): AsyncGenerator<Buffer, void> {
  failed.catch(() => undefined);
  yield screencast.first;
  for (let frame = 1; frame < film.frameCount; frame++) {
    const due = screencast.started + (frame * 1000) / film.framerate + GRACE_MS;
    await Promise.race([pause(due - performance.now()), failed]);
    yield screencast.timeline.pick(frame);
  }
}

export interface VirtualFilm {
  readonly camera: VirtualCamera;
  readonly activity: Activity;
  readonly film: Film;
  readonly pace: Pace;
  /** Hears how many frames were left out, after the last one, where any were. */
  readonly onLeftOut: (frames: number) => void;
}

/**
 * All frames of a page whose clock is ours, as fast as they can be drawn; while something goes on that has a clock of its own, no
 * faster than in life. Frames are left out, and the one before shown again, only where the render's time would not do for all of them.
 */
export async function* filmVirtual({ camera, activity, film, pace, onLeftOut }: VirtualFilm): AsyncGenerator<Buffer, void> {
  const stepMs = 1000 / film.framerate;
  let shown = camera.first;
  yield shown;
  for (let frame = 1; frame < film.frameCount; frame++) {
    const started = performance.now();
    const picture = await camera.next({ draw: pace.draws(frame) });
    if (picture?.equals(shown) === false) shown = picture;
    if (activity.realTime) await pause(stepMs - (performance.now() - started));
    yield shown;
    // With the encoder's share: what it takes is gone too.
    pace.took(performance.now() - started);
  }
  if (pace.leftOut > 0) onLeftOut(pace.leftOut);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { ref: false });
}
