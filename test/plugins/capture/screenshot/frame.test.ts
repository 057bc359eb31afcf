import { ceilPixels } from '@platen/lib-page-layout';
import { describe, expect, it } from 'vitest';
import { planFrame, refuseTooLarge, type Region } from '../../../../plugins/capture/screenshot/src/frame.js';
import { tilesOf } from '../../../../plugins/capture/screenshot/src/capture-screenshot.js';

const viewport: Region = { x: 0, y: 0, width: 1280, height: 720, zoom: 1, viewport: true, beyond: false };

function frameOf(region: Partial<Region>, params: { image_width?: number; image_height?: number } = {}) {
  const whole = { ...viewport, ...region };
  return planFrame({ region: whole, params, deviceScaleFactor: whole.zoom });
}

/** The size that the browser gives a picture of this rectangle. */
function browserSize({ clip }: ReturnType<typeof frameOf>, scale: number) {
  return [
    Math.round((clip?.width ?? NaN) * (clip?.scale ?? NaN) * scale),
    Math.round((clip?.height ?? NaN) * (clip?.scale ?? NaN) * scale),
  ];
}

describe('planFrame', () => {
  it('takes the viewport as it stands where it is whole pixels', () => {
    expect(frameOf({})).toEqual({ clip: undefined, beyond: false, segments: [], width: 1280, height: 720 });
    expect(frameOf({ height: 720, zoom: 1.5 })).toMatchObject({ clip: undefined, width: 1920, height: 1080 });
  });

  it('gives the browser a rectangle where the viewport ends within a pixel', () => {
    expect(frameOf({ height: 721, zoom: 1.5 })).toMatchObject({
      clip: { x: 0, y: 0, width: 1280, height: expect.closeTo(1082 / 1.5) as unknown },
      width: 1920,
      height: 1082,
    });
  });

  it('counts a pixel that is only partly covered', () => {
    const frame = frameOf({ height: 721, zoom: 1.25 });
    expect(frame).toMatchObject({ width: 1600, height: 902 });
    expect(browserSize(frame, 1.25)).toEqual([1600, 902]);
  });

  it('takes noise of floating point for what it is', () => {
    expect(700 * 1.1).toBeGreaterThan(770);
    expect(ceilPixels(700 * 1.1)).toBe(770);
    expect(ceilPixels(Math.fround(960 / 1.1) * 1.1)).toBe(960);
    expect(ceilPixels(16_384.0005)).toBe(16_384);
    expect(ceilPixels(1408.01)).toBe(1409);
    expect(ceilPixels(0.2)).toBe(1);
  });

  it.each([
    [{ image_width: 640 }, 640, 360],
    [{ image_width: 333 }, 333, 187],
    [{ image_height: 1000 }, 1778, 1000],
    [{ image_width: 1 }, 1, 1],
    [{ image_width: 400, image_height: 400 }, 400, 400],
    [{ image_width: 16_384 }, 16_384, 9216],
  ])('gives %j the size %i x %i', (params, width, height) => {
    const frame = frameOf({}, params);
    expect(frame).toMatchObject({ width, height });
    expect(browserSize(frame, 1)).toEqual([width, height]);
  });

  it('never shows what lies outside the region when it resizes', () => {
    for (const zoom of [1, 1.25, 2, 2.625]) {
      for (let side = 1; side < 3000; side += 7) {
        for (const params of [{ image_width: side }, { image_height: side }, { image_width: side, image_height: 400 }]) {
          const { clip } = frameOf({ zoom }, params);
          if (clip === undefined) continue;
          expect(clip.x).toBeGreaterThanOrEqual(0);
          expect(clip.x + clip.width).toBeLessThanOrEqual(1280 + 1e-6);
          expect(clip.height).toBeLessThanOrEqual(720 + 1e-6);
        }
      }
    }
  });

  it('fills both sides from the top, cropping left and right alike', () => {
    expect(frameOf({}, { image_width: 360, image_height: 360 }).clip).toEqual({ x: 280, y: 0, width: 720, height: 720, scale: 0.5 });
    expect(frameOf({}, { image_width: 640, image_height: 180 }).clip).toEqual({ x: 0, y: 0, width: 1280, height: 360, scale: 0.5 });
  });
});

describe('refuseTooLarge', () => {
  it('says the size, the bound and what to do', () => {
    const frame = frameOf({ height: 20_000, viewport: false });
    expect(() => {
      refuseTooLarge(frame, { maxWidth: 16_383, maxHeight: 16_383 }, 'webp');
    }).toThrow(/1280 x 20000 pixels, and webp supports at most 16383 x 16383: request a smaller size with "image_width"/);
    expect(() => {
      refuseTooLarge(frame, {}, 'png');
    }).not.toThrow();
  });

  it('bounds the pixels in all', () => {
    expect(() => {
      refuseTooLarge(frameOf({ height: 209_689, viewport: false }), {}, 'png');
    }).not.toThrow();
    expect(() => {
      refuseTooLarge(frameOf({ height: 209_690, viewport: false }), {}, 'png');
    }).toThrow(/268402689/);
  });
});

describe('tilesOf', () => {
  it('covers the frame from top to bottom, without gap and overlap', () => {
    const frame = frameOf({ y: 100, height: 45_000, viewport: false }, { image_width: 960 });
    const tiles = tilesOf(frame, { width: 1280, height: 720 });
    expect(tiles.reduce((sum, { height }) => sum + height, 0)).toBe(frame.height);
    let top = 100;
    for (const tile of tiles) {
      expect(tile.clip?.y).toBeCloseTo(top, 6);
      expect(browserSize(tile, 1)).toEqual([tile.width, tile.height]);
      top += tile.clip?.height ?? NaN;
    }
    expect(top).toBeCloseTo(45_100, 6);
  });
});
