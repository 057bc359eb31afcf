import { setTimeout as delay } from 'node:timers/promises';
import type { Film } from './film.js';
import { SLACK_S } from './limits.js';
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
}

/**
 * All frames of a page whose clock is ours, as fast as they can be drawn; while something goes on that has a clock of its own, no
 * faster than in life. Where the machine is too slow for the film, frames are left out so that it ends in time.
 */
export async function* filmVirtual({ camera, activity, film }: VirtualFilm): AsyncGenerator<Buffer, void> {
  const stepMs = 1000 / film.framerate;
  let shown = camera.first;
  let spentMs = 0;
  yield shown;
  for (let frame = 1; frame < film.frameCount; frame++) {
    const started = performance.now();
    const draw = spentMs <= frame * stepMs + SLACK_S * 1000;
    const picture = await camera.next({ draw });
    if (picture?.equals(shown) === false) shown = picture;
    if (activity.realTime) await pause(stepMs - (performance.now() - started));
    spentMs += performance.now() - started;
    yield shown;
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { ref: false });
}
