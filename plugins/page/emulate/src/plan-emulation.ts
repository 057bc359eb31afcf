import type { InferParams, PlanDraft } from '@platen/kernel';
import type { PARAMS } from './params.js';
import { parseGeoUri } from './parse-geo-uri.js';

export type EmulateParams = InferParams<typeof PARAMS>;

/** Fingers on a phone's screen as browsers there count them. */
const MOBILE_TOUCH_POINTS = 5;

/** Media Queries Level 4, 2.3: those in use, and those that pages may still speak of. */
const MEDIA_TYPES = ['screen', 'print', 'all', 'speech', 'aural', 'braille', 'embossed', 'handheld', 'projection', 'tty', 'tv'];

/** Refuses values that the schema cannot judge, and fills what the kernel itself keeps of a device. */
export function planEmulation({ params, preset, profile, refuse }: PlanDraft<EmulateParams>): void {
  const { emulate_geolocation: place, emulate_timezone: zone, emulate_media: media, emulate_mobile: mobile } = params;
  const position = place === undefined ? undefined : parseGeoUri(place);
  if (typeof position === 'string') refuse('emulate_geolocation', `"emulate_geolocation" ${position}`);
  if (zone !== undefined && findTimezone(zone) === undefined) {
    refuse('emulate_timezone', '"emulate_timezone" must be a name of the IANA time zone database, such as "Europe/Zurich"');
  }
  if (media !== undefined && !MEDIA_TYPES.includes(media.toLowerCase()))
    refuse('emulate_media', `"emulate_media" must be a CSS media type, one of: ${MEDIA_TYPES.join(', ')}`);
  for (const key of ['emulate_gpu_renderer', 'emulate_gpu_vendor'] as const) {
    if (/[\x00-\x1f\x7f]/.test(params[key] ?? '')) refuse(key, `"${key}" must not hold control characters`);
  }
  if (mobile !== undefined) {
    profile.mobile = mobile;
    profile.hintsMobile = mobile;
  }
  // A preset's own touch screen counts for more than what mobile devices have in general; no mobile device, no touch screen.
  if (mobile === true) preset.touchPoints ??= MOBILE_TOUCH_POINTS;
  if (mobile === false) profile.touchPoints = 0;
  if (params.emulate_touch_points !== undefined) profile.touchPoints = params.emulate_touch_points;
}

/** The zone's name in its own spelling; undefined where the time zone database has none such. */
export function findTimezone(name: string): string | undefined {
  // Offsets such as +01:00 are time zones for Intl, and no names.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
