import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readFrameSize } from '../../../../plugins/capture/frames/src/capture-frames.js';
import { readVideoOptions } from '../../../../plugins/capture/frames/src/frames-capture.js';
import { createTimeline } from '../../../../plugins/capture/frames/src/screencast.js';

describe('readVideoOptions', () => {
  it('takes what an output may ask, and leaves others alone', () => {
    expect(readVideoOptions(undefined)).toBeUndefined();
    expect(readVideoOptions({ maxWidth: 16_383 })).toBeUndefined();
    expect(readVideoOptions({ recording: 'video', frameFormat: 'jpeg', native: 'webp' })).toEqual({
      recording: 'video',
      frameFormat: 'jpeg',
    });
    expect(readVideoOptions({ recording: 'image', frameFormat: 'png', maxWidth: 9 })).toEqual({
      recording: 'image',
      frameFormat: 'png',
      maxWidth: 9,
    });
  });

  it.each([
    [{ recording: 'gif', frameFormat: 'png' }, 'recording'],
    [{ recording: 'image' }, 'frameFormat'],
    [{ recording: 'image', frameFormat: 'png', maxHeight: 0 }, 'maxHeight'],
  ])('names the wrong member of %j', (options, member) => {
    expect(() => readVideoOptions(options)).toThrow(`captureOptions.${member}`);
  });
});

describe('readFrameSize', () => {
  it.each(['png', 'jpeg'] as const)('reads a %s', async (format) => {
    const picture = sharp({ create: { width: 301, height: 7, channels: 3, background: 'red' } });
    expect(readFrameSize(await picture.toFormat(format).toBuffer())).toEqual({ width: 301, height: 7 });
  });

  it('refuses anything else', () => {
    expect(() => readFrameSize(Buffer.from('GIF89a and so on, long enough'))).toThrow(TypeError);
    expect(() => readFrameSize(Buffer.from([0xff, 0xd8, 0x12, 0x34, 0, 0, 0, 0, 0, 0, 0, 0]))).toThrow(TypeError);
  });
});

describe('createTimeline', () => {
  const picture = (name: string) => Buffer.from(name);
  const names = (timeline: ReturnType<typeof createTimeline>, count: number) =>
    Array.from({ length: count }, (_, frame) => timeline.pick(frame).toString()).join(' ');

  it('shows at every moment the newest picture that was there', () => {
    const timeline = createTimeline({ first: picture('a'), framerate: 10, held: 99 });
    for (const [ms, name] of [
      [90, 'b'],
      [100, 'c'],
      [150, 'd'],
      [199, 'e'],
      [430, 'f'],
    ] as const)
      timeline.place(ms, picture(name));
    expect(names(timeline, 7)).toBe('a c e e e f f');
  });

  it('repeats the last picture of a page that stands still', () => {
    expect(names(createTimeline({ first: picture('a'), framerate: 25, held: 99 }), 4)).toBe('a a a a');
  });

  it('does not fall back behind a picture that came before its time', () => {
    const timeline = createTimeline({ first: picture('a'), framerate: 10, held: 99 });
    timeline.place(300, picture('c'));
    timeline.place(100, picture('b'));
    expect(names(timeline, 4)).toBe('a a a c');
  });

  it('holds no more than so many pictures, and the newest of them', () => {
    const timeline = createTimeline({ first: picture('a'), framerate: 10, held: 2 });
    for (let frame = 1; frame < 6; frame++) timeline.place(frame * 100, picture(String(frame)));
    expect(names(timeline, 7)).toBe('a 1 1 1 1 5 5');
  });
});
