/** Pictures in the places of a film to come, by their moments. */
export interface Timeline {
  /** Takes a picture that was drawn so many milliseconds after the first one. */
  place(elapsedMs: number, picture: Buffer): void;
  /** The newest picture that was there at the frame's moment. Frames are asked for in order. */
  pick(frame: number): Buffer;
}

export interface TimelineOptions {
  /** Frame 0. */
  readonly first: Buffer;
  readonly framerate: number;
  /** Pictures held at most. Past that, where nobody fetches frames, the newest gives way to the one that comes. */
  readonly held: number;
}

/** Rounding of timestamps: a picture that comes so much late for a frame is still in it. */
const TOLERANCE_MS = 1;

export function createTimeline({ first, framerate, held }: TimelineOptions): Timeline {
  // In order of the frames, at most one picture for each.
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
