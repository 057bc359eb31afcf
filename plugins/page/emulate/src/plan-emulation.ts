import type { InferParams, PlanDraft } from '@platen/kernel';
import type { PARAMS } from './params.js';
import { parseGeoUri } from './parse-geo-uri.js';

export type EmulateParams = InferParams<typeof PARAMS>;

/** The number of touch points that browsers on phones report. */
const MOBILE_TOUCH_POINTS = 5;

/** Media Queries Level 4, 2.3: current and deprecated media types. */
const MEDIA_TYPES = ['screen', 'print', 'all', 'speech', 'aural', 'braille', 'embossed', 'handheld', 'projection', 'tty', 'tv'];

/** Rejects values that the schema cannot validate, and sets the device properties that the kernel applies. */
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
    if (/[\x00-\x1f\x7f]/.test(params[key] ?? '')) refuse(key, `"${key}" must not contain control characters`);
  }
  if (mobile !== undefined) {
    profile.mobile = mobile;
    profile.hintsMobile = mobile;
  }
  // The touch points of a preset take precedence over the default for mobile devices. A device that is not mobile has no touch screen.
  if (mobile === true) preset.touchPoints ??= MOBILE_TOUCH_POINTS;
  if (mobile === false) profile.touchPoints = 0;
  if (params.emulate_touch_points !== undefined) profile.touchPoints = params.emulate_touch_points;
}

/** The time zone's name in canonical spelling; undefined if the time zone database does not contain it. */
export function findTimezone(name: string): string | undefined {
  // `Intl` also accepts offsets such as +01:00, which are not names.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
