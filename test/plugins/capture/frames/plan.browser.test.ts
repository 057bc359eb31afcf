import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { PLUGINS } from './videos.js';

const host = createTestKernel({ plugins: PLUGINS });
afterAll(() => host[Symbol.asyncDispose]());

function plan(params: Readonly<Record<string, unknown>>) {
  return host.kernel.plan(host.kernel.validate({ url: 'data:text/html,', ...params }, 'body'));
}

function refusal(params: Readonly<Record<string, unknown>>): unknown {
  try {
    return plan(params);
  } catch (error) {
    return error;
  }
}

describe('planVideo', () => {
  it.each([
    [{ output_type: 'test-video' }, 'frames', 35_000],
    [{ output_type: 'test-video', video_duration: 12 }, 'frames', 42_000],
    [{ output_type: 'test-animation' }, 'frames', 35_000],
    [{ output_type: 'test-animation', image_duration: 1.5 }, 'frames', 31_500],
    [{ output_type: 'test-either' }, 'screenshot', 30_000],
    [{ output_type: 'test-either', image_framerate: 3 }, 'screenshot', 30_000],
    [{ output_type: 'test-either', video_duration: 3 }, 'screenshot', 30_000],
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
    [{ video_duration: 0.0001, video_framerate: 60 }, /at least ([\d.]+) s at/],
    [{ video_duration: 0.0001, video_framerate: 7 }, /at least ([\d.]+) s at/],
    [{ video_duration: 599, video_framerate: 7, timeout: 0 }, /at most ([\d.]+) s at/],
    [{ video_duration: 599, video_framerate: 11, timeout: 0 }, /at most ([\d.]+) s at/],
  ])('the duration that the refusal of %j names is taken', (params, named) => {
    const advice = named.exec((refusal({ output_type: 'test-video', ...params }) as Error).message)?.[1];
    expect(advice).toBeDefined();
    expect(() => plan({ output_type: 'test-video', ...params, video_duration: Number(advice) })).not.toThrow();
  });

  it.each([
    [{ output_type: 'test-video', video_duration: 0.01 }, 'video_duration', /at least 0\.02 s at 25/],
    [{ output_type: 'test-video', video_duration: 0.4, video_framerate: 1 }, 'video_duration', /at least 0\.5 s at 1 frame per second/],
    [{ output_type: 'test-video', video_duration: 145 }, 'video_duration', /at most 3600 frames: at most 144 s/],
    [{ output_type: 'test-video', video_duration: 61, video_framerate: 60 }, 'video_duration', /at most 60 s at 60/],
    [
      { output_type: 'test-video', video_duration: 10.5, timeout: 10 },
      'video_duration',
      /\(10\.5 s\) must not exceed the "timeout" of 10 s/,
    ],
    [{ output_type: 'test-video', timeout: 4.9999 }, 'video_duration', /\(5 s\) must not exceed the "timeout" of 4\.9999 s/],
    [{ output_type: 'test-video', timeout: 0.0001 }, 'video_duration', /must not exceed the "timeout" of 0\.0001 s/],
    [{ output_type: 'test-video', timeout: 3 }, 'video_duration', /\(5 s\) must not exceed the "timeout" of 3 s/],
    [
      { output_type: 'test-video', video_duration: 60, video_framerate: 60, video_width: 8192, video_height: 8192 },
      'video_duration',
      /32 GiB.*at most 128 frames \("video_duration" x "video_framerate"\), or a smaller size \("video_width"/,
    ],
    [{ output_type: 'test-animation', image_duration: 121 }, 'image_duration', /at most 600 frames: at most 120 s/],
    [{ output_type: 'test-either', image_duration: 11, image_framerate: 60 }, 'image_duration', /at most 10 s at 60/],
    [
      { output_type: 'test-animation', image_duration: 60, image_width: 4000, image_height: 4000 },
      'image_duration',
      /2 GiB.*at most 33 frames \("image_duration" x "image_framerate"\), or a smaller size \("image_width"/,
    ],
    [{ output_type: 'test-video', video_selector: 'p', full_page: true }, 'full_page', /are mutually exclusive/],
  ])('%j is refused, naming %s and its bound', (params, parameter, detail) => {
    const refused = refusal(params);
    expect(refused).toMatchObject({ code: 'invalid_parameters', status: 400, details: { errors: [{ parameter }] } });
    expect(String(refused)).toMatch(detail);
  });

  it.each([
    [{}, 'device_scale_factor'],
    [{ video_selector: '#it' }, 'device_scale_factor'],
    [{ full_page: true }, 'device_scale_factor'],
    [{ view_scale: 1, view_width: 6400, view_height: 3600 }, 'browser_width'],
  ])('a viewport of more pixels than can be filmed is a 400 of the plan that says what to ask for: %j', (params, parameter) => {
    const large = refusal({ output_type: 'test-video', view_scale: 5, ...params });
    expect(large).toMatchObject({ code: 'invalid_parameters', status: 400, details: { errors: [{ parameter }] } });
    expect(String(large)).toMatch(
      /6400 x 3600 pixels \(23\.0 million\), more than the maximum of 16\.8 million.* a smaller "browser_width"/,
    );
    if (parameter === 'browser_width') return;
    expect(String(large)).toContain('a "device_scale_factor" of at most 4.2, or');
    expect(plan({ output_type: 'test-video', ...params, view_scale: 4.2 }).capture.kind).toBe('frames');
  });

  it('a film of more pixels in all is a 400 of the plan, where no page decides its size', () => {
    const long = { output_type: 'test-animation', image_duration: 60, image_framerate: 10, view_scale: 2 };
    const refused = refusal(long);
    expect(refused).toMatchObject({ code: 'invalid_parameters', status: 400, details: { errors: [{ parameter: 'image_duration' }] } });
    expect(String(refused)).toMatch(
      /600 frames of 2560 x 1440 pixels exceed 2 GiB uncompressed: request at most 145 frames \("image_duration" x "image_framerate"\), or a smaller size \("image_width", "image_height", "device_scale_factor"\)/,
    );
    expect(plan({ ...long, image_width: 640 }).capture.kind).toBe('frames');
    expect(plan({ ...long, image_selector: 'p' }).capture.kind).toBe('frames');
  });

  it('a film that its format does not hold is a 400 of the plan', () => {
    const wide = { output_type: 'test-animation', image_duration: 1, view_width: 4001 };
    expect(refusal(wide)).toMatchObject({ status: 400, details: { errors: [{ parameter: 'image_width' }] } });
    expect(String(refusal(wide))).toContain('test-animation supports at most 4000 x 4000');
  });

  it('leaves every other output type alone, whatever keys are given', () => {
    expect(plan({ output_type: 'test-either', video_duration: 1e9, full_page: true }).capture.kind).toBe('screenshot');
  });
});
