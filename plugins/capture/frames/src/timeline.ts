/** Assigns screenshots to the frames of a video by their timestamps. */
export interface Timeline {
  /** Adds a screenshot that was drawn this many milliseconds after the first one. */
  place(elapsedMs: number, picture: Buffer): void;
  /** The newest screenshot at the frame's moment. Frames are requested in order. */
  pick(frame: number): Buffer;
}

export interface TimelineOptions {
  /** Frame 0. */
  readonly first: Buffer;
  readonly framerate: number;
  /** Maximum number of buffered screenshots. Beyond it, while no frames are read, the next screenshot replaces the newest. */
  readonly held: number;
}

/** Tolerance for rounded timestamps: a screenshot that is late by no more than this still belongs to the frame. */
const TOLERANCE_MS = 1;

export function createTimeline({ first, framerate, held }: TimelineOptions): Timeline {
  // In order of the frames, at most one screenshot for each.
  const coming: { frame: number; picture: Buffer }[] = [];
  let shown = first;
  return {
    place(elapsedMs, picture) {
      const frame = Math.max(0, Math.ceil(((elapsedMs - TOLERANCE_MS) * framerate) / 1000));
      const newest = coming.at(-1);
      if (newest !== undefined && frame < newest.frame) return;
      if (newest !== undefined && (frame === newest.frame || coming.length >= held)) coming.pop();
      coming.push({ frame, picture });
    },
    pick(frame) {
      for (let next = coming[0]; next !== undefined && next.frame <= frame; next = coming[0]) {
        shown = next.picture;
        coming.shift();
      }
      return shown;
    },
  };
}
