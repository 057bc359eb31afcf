import { invalidParameter, type DeviceProfile } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { findTimezone, parseGeoUri, planEmulation } from '../../../../plugins/page/emulate/src/plan-emulation.js';

type Draft = Parameters<typeof planEmulation>[0];

function plan(params: Draft['params'], preset: Partial<DeviceProfile> = {}) {
  const draft = {
    params,
    preset: { ...preset },
    profile: {} as Partial<DeviceProfile>,
    refuse: (parameter: string, detail: string): never => {
      throw invalidParameter(parameter, detail);
    },
  };
  planEmulation(draft as unknown as Draft);
  return { ...draft.preset, ...draft.profile };
}

describe('parseGeoUri (RFC 5870)', () => {
  it.each([
    ['geo:48.2010,16.3695', { latitude: 48.201, longitude: 16.3695, accuracy: 10 }],
    ['GEO:48.2010,16.3695,183', { latitude: 48.201, longitude: 16.3695, altitude: 183, accuracy: 10 }],
    ['geo:48.198634,-16.371648,-5.5;crs=wgs84;u=40', { latitude: 48.198634, longitude: -16.371648, altitude: -5.5, accuracy: 40 }],
    ['geo:-90,45', { latitude: -90, longitude: 0, accuracy: 10 }],
    ['geo:1,-180;U=0;mapcolors=for_daltonic', { latitude: 1, longitude: -180, accuracy: 0 }],
  ])('%s', (text, expected) => {
    expect(parseGeoUri(text)).toEqual(expected);
  });

  it.each([
    ['48.2,16.3', 'form'],
    ['geo:48.2', 'form'],
    ['geo:48.2,16.3,1,2', 'form'],
    ['geo:+48.2,16.3', 'form'],
    ['geo:4e1,16.3', 'form'],
    ['geo:.5,16', 'form'],
    ['geo:90.1,0', 'latitude'],
    ['geo:0,180.5', 'longitude'],
    ['geo:0,0;u=-1', 'uncertainty'],
    ['geo:0,0;u=far', 'uncertainty'],
    ['geo:0,0;crs=nad27', 'wgs84'],
    ['geo:0,0;u=1;u=2', 'twice'],
    ['geo:0,0;;', 'parameter'],
  ])('%s is refused', (text, reason) => {
    expect(parseGeoUri(text)).toContain(reason);
  });
});

describe('findTimezone', () => {
  it.each([
    ['Europe/Zurich', 'Europe/Zurich'],
    ['europe/zurich', 'Europe/Zurich'],
    ['UTC', 'UTC'],
    ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
    ['Mars/Olympus', undefined],
    ['+01:00', undefined],
    ['', undefined],
    ['Europe/Zurich\0', undefined],
  ])('%j', (name, expected) => {
    expect(findTimezone(name)).toBe(expected);
  });
});

describe('the profile', () => {
  it('has touch on a mobile device, as many fingers as its preset says', () => {
    expect(plan({ emulate_mobile: true })).toEqual({ mobile: true, hintsMobile: true, touchPoints: 5 });
    expect(plan({ emulate_mobile: true }, { touchPoints: 2 })).toEqual({ mobile: true, hintsMobile: true, touchPoints: 2 });
    expect(plan({ emulate_mobile: true, emulate_touch_points: 1 })).toEqual({ mobile: true, hintsMobile: true, touchPoints: 1 });
  });

  it('has none where it is told not to be mobile, unless asked for', () => {
    expect(plan({ emulate_mobile: false }, { mobile: true, touchPoints: 5 })).toEqual({
      mobile: false,
      hintsMobile: false,
      touchPoints: 0,
    });
    expect(plan({ emulate_mobile: false, emulate_touch_points: 3 })).toEqual({ mobile: false, hintsMobile: false, touchPoints: 3 });
  });

  it('is left alone by everything else', () => {
    expect(plan({ emulate_dark_mode: true, emulate_memory: 0 })).toEqual({});
  });
});

it.each([
  ['emulate_geolocation', 'geo:91,0'],
  ['emulate_timezone', 'Mars/Olympus'],
  ['emulate_media', 'print and (color)'],
  ['emulate_media', 'foo'],
  ['emulate_gpu_vendor', 'a\nb'],
  ['emulate_gpu_renderer', 'a\0b'],
] as const)('%s = %j is a 400 that names it', (key, value) => {
  expect(() => plan({ [key]: value })).toThrow(
    expect.objectContaining({ code: 'invalid_parameters', details: { errors: [expect.objectContaining({ parameter: key })] } }),
  );
});
