import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { PLUGINS } from './films.js';

const host = createTestKernel({ plugins: PLUGINS });
afterAll(() => host[Symbol.asyncDispose]());

function plan(params: Readonly<Record<string, unknown>>) {
  return host.kernel.plan(host.kernel.validate({ url: 'data:text/html,', ...params }, 'body'));
}

describe('planFilm', () => {
  it.each([
    [{ output_type: 'test-video' }, 'frames', 35_000],
    [{ output_type: 'test-video', video_duration: 12 }, 'frames', 42_000],
    [{ output_type: 'test-animation' }, 'frames', 35_000],
    [{ output_type: 'test-animation', image_duration: 1.5 }, 'frames', 31_500],
    [{ output_type: 'test-either' }, 'pixels', 30_000],
    [{ output_type: 'test-either', image_framerate: 3 }, 'pixels', 30_000],
    [{ output_type: 'test-either', video_duration: 3 }, 'pixels', 30_000],
    [{ output_type: 'test-either', image_duration: 2 }, 'frames', 32_000],
    [{ output_type: 'test-video', video_duration: 5, timeout: 6 }, 'frames', 11_000],
    [{ output_type: 'test-video', video_duration: 10, timeout: 10 }, 'frames', 20_000],
    [{ output_type: 'test-video', video_duration: 100, timeout: 0 }, 'frames', null],
    [{ output_type: 'test-video', video_duration: 100, timeout: 5, no_timeout: true }, 'frames', null],
  ])('%j is captured as %s within %j ms', (params, kind, timeoutMs) => {
    const { capture, timeoutMs: planned, browser } = plan(params);
    expect([capture.kind, planned]).toEqual([kind, timeoutMs]);
    expect(browser.exclusive).toBe(kind === 'frames');
  });

  it.each([
    [{ output_type: 'test-video', video_duration: 0 }, 'video_duration', /greater than 0|> 0|more than 0/],
    [{ output_type: 'test-video', video_duration: -1 }, 'video_duration', /0/],
    [{ output_type: 'test-video', video_duration: '5s' }, 'video_duration', /number/],
    [{ output_type: 'test-video', video_duration: 0.01 }, 'video_duration', /at least 0\.02 s at 25/],
    [{ output_type: 'test-video', video_duration: 0.4, video_framerate: 1 }, 'video_duration', /at least 0\.5 s at 1 frame a second/],
    [{ output_type: 'test-video', video_duration: 145 }, 'video_duration', /at most 3600 frames: at most 144 s/],
    [{ output_type: 'test-video', video_duration: 61, video_framerate: 60 }, 'video_duration', /at most 60 s at 60/],
    [
      { output_type: 'test-video', video_duration: 10.5, timeout: 10 },
      'video_duration',
      /\(10\.5 s\) must be no longer than the "timeout" allows, 10 s/,
    ],
    [{ output_type: 'test-video', timeout: 3 }, 'video_duration', /\(5 s\) must be no longer than the "timeout" allows, 3 s/],
    [{ output_type: 'test-video', video_framerate: 0 }, 'video_framerate', /1/],
    [{ output_type: 'test-video', video_framerate: 61 }, 'video_framerate', /60/],
    [{ output_type: 'test-video', video_framerate: 12.5 }, 'video_framerate', /integer/],
    [{ output_type: 'test-video', video_width: 0 }, 'video_width', /1/],
    [{ output_type: 'test-video', video_height: 8193 }, 'video_height', /8192/],
    [
      { output_type: 'test-video', video_duration: 60, video_framerate: 60, video_width: 8192, video_height: 8192 },
      'video_duration',
      /32 GiB.*at most 128 frames \("video_duration" x "video_framerate"\), or a smaller size \("video_width"/,
    ],
    [{ output_type: 'test-video', video_selector: '' }, 'video_selector', /./],
    [{ output_type: 'test-animation', image_duration: 0 }, 'image_duration', /0/],
    [{ output_type: 'test-animation', image_duration: 121 }, 'image_duration', /at most 600 frames: at most 120 s/],
    [{ output_type: 'test-either', image_duration: 11, image_framerate: 60 }, 'image_duration', /at most 10 s at 60/],
    [{ output_type: 'test-animation', image_framerate: 61 }, 'image_framerate', /60/],
    [
      { output_type: 'test-animation', image_duration: 60, image_width: 4000, image_height: 4000 },
      'image_duration',
      /2 GiB.*at most 33 frames \("image_duration" x "image_framerate"\), or a smaller size \("image_width"/,
    ],
    [{ output_type: 'test-video', video_selector: 'p', full_page: true }, 'full_page', /exclude each other/],
  ])('%j is refused, naming %s and its bound', (params, parameter, detail) => {
    let refused: unknown;
    try {
      plan(params);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'invalid_parameters', status: 400, details: { errors: [{ parameter }] } });
    expect(String(refused)).toMatch(detail);
  });

  it('leaves every other output type alone, whatever keys are given', () => {
    expect(plan({ output_type: 'test-either', video_duration: 1e9, full_page: true }).capture.kind).toBe('pixels');
  });
});
