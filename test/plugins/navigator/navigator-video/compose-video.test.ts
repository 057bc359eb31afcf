import { describe, expect, it } from 'vitest';
import {
  composeVideo,
  type ComposeOptions,
  readingTime,
  toScreen,
} from '../../../../plugins/navigator/navigator-video/src/compose-video.js';

const SIZE = { width: 800, height: 600 };
const VIEWPORT = { ...SIZE, scale: 1 };

const frame = (at: number, name: string) => ({ at, name, read: () => Promise.resolve(Buffer.from(name)) });

/** Frames a, b, c; an action from 1,500 to 1,900 that presses (100, 50) at its beginning. */
const RECORDING = {
  frames: [frame(1000, 'a'), frame(1400, 'b'), frame(1600, 'c')],
  actions: [
    {
      ...{ at: 1500, until: 1900, caption: 'clicks button "Save"' },
      pointer: { viewport: VIEWPORT, startedAt: 1510, endedAt: 1700, point: { x: 100, y: 50 }, toPoint: undefined, isPress: true },
    },
  ],
  endedAt: 2000,
};

function compose(options: Partial<ComposeOptions>) {
  const video = composeVideo(RECORDING, { size: SIZE, showsCaptions: false, showsPointer: false, maxFrames: Infinity, ...options });
  if (video === undefined) throw new Error('there is no video');
  const shown = video.frames.map(({ at, frame: { at: recorded } }) => [at, RECORDING.frames.find((one) => one.at === recorded)?.name]);
  return { ...video, shown };
}

it('without captions it has the time of the navigation, and the last frame stays for a second', () => {
  expect(compose({})).toMatchObject({ duration: 2000, captions: [], pointer: [], presses: [] });
  expect(compose({}).shown).toEqual([
    [0, 'a'],
    [400, 'b'],
    [600, 'c'],
    [1600, 'c'],
    [2000, 'c'],
  ]);
});

it('a caption is shown before its action for as long as it takes to read', () => {
  const held = readingTime('clicks button "Save"');
  const { captions, duration, shown } = compose({ showsCaptions: true });
  expect(captions).toEqual([{ text: 'clicks button "Save"', from: 500, to: 900 + held }]);
  expect(duration).toBe(2000 + held);
  // The frame before the action, every second.
  expect(shown.filter(([at]) => Number(at) >= 500 && Number(at) < 600 + held)).toEqual([
    [500, 'b'],
    [1500, 'b'],
    [2500, 'b'],
  ]);
  expect(shown).toContainEqual([600 + held, 'c']);
});

it.each([
  ['', 1500],
  ['x'.repeat(20), 2300],
  ['\u{1F600}'.repeat(20), 2300],
  ['x'.repeat(200), 6000],
])('%s is read in %d ms', (text, ms) => {
  expect(readingTime(text)).toBe(ms);
});

describe('the pointer', () => {
  it('comes from the center, presses when the action begins, and rests', () => {
    const { pointer, presses, shown } = compose({ showsPointer: true });
    const end = { x: 100, y: 50 };
    expect(pointer).toEqual([
      { from: 210, to: 510, start: { x: 400, y: 300 }, end },
      { from: 510, to: 3000, start: end, end },
    ]);
    expect(presses).toEqual([{ point: end, from: 510, to: 910 }]);
    // 25 frames a second while it moves.
    expect(shown.filter(([at]) => Number(at) >= 210 && Number(at) < 370).map(([at]) => at)).toEqual([210, 250, 290, 330]);
  });

  it('a drag ends where it was dropped', () => {
    const [action] = RECORDING.actions;
    if (action === undefined) throw new Error('no action');
    const pointer = { ...action.pointer, endedAt: 2400, toPoint: { x: 300, y: 60 } };
    const video = composeVideo(
      { ...RECORDING, endedAt: 2500, actions: [{ ...action, until: 2450, pointer }] },
      { size: SIZE, showsCaptions: false, showsPointer: true, maxFrames: Infinity },
    );
    expect(video?.pointer.slice(0, 2)).toEqual([
      { from: 210, to: 510, start: { x: 400, y: 300 }, end: { x: 100, y: 50 } },
      { from: 510, to: 1400, start: { x: 100, y: 50 }, end: { x: 300, y: 60 } },
    ]);
  });

  it.each([
    ['a smaller tab is enlarged', { width: 400, height: 300, scale: 1 }, { x: 200, y: 100 }],
    ['a narrow tab is in the middle', { width: 300, height: 600, scale: 1 }, { x: 350, y: 50 }],
    ['a low tab is in the middle', { width: 800, height: 200, scale: 1 }, { x: 100, y: 250 }],
    ['a mobile page that is wider than its device', { width: 800, height: 600, scale: 0.5 }, { x: 50, y: 25 }],
  ])('%s', (_name, viewport, place) => {
    expect(toScreen({ x: 100, y: 50 }, viewport, SIZE)).toEqual(place);
  });
});

it('a video with too many frames begins later', () => {
  const { frames, captions, duration, isCut } = compose({ showsCaptions: true, maxFrames: 4 });
  const whole = compose({ showsCaptions: true });
  const offset = whole.frames.at(-4)?.at ?? 0;
  expect(isCut).toBe(true);
  expect(duration).toBe(whole.duration - offset);
  expect(frames.map(({ at }) => at)).toEqual(whole.frames.slice(-4).map(({ at }) => at - offset));
  expect(captions.map(({ to }) => to)).toEqual(whole.captions.map(({ to }) => to - offset).filter((to) => to > 0));
});

it('without a frame there is no video', () => {
  const options = { size: SIZE, showsCaptions: true, showsPointer: true, maxFrames: Infinity };
  expect(composeVideo({ frames: [], actions: RECORDING.actions, endedAt: 2000 }, options)).toBeUndefined();
});
