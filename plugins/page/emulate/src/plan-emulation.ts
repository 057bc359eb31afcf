import type { InferParams, PlanDraft } from '@platen/kernel';
import type { PARAMS } from './params.js';

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

/** Degrees and meters, WGS 84. */
interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude?: number;
  readonly accuracy: number;
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const GEO = new RegExp(`^geo:(${NUMBER}),(${NUMBER})(?:,(${NUMBER}))?((?:;[^;]*)*)$`, 'i');
/** Accuracy of a good receiver under open sky, used if the URI has none. */
const DEFAULT_ACCURACY_METRES = 10;

/** Parses a geo URI (RFC 5870, 3.3), or returns an error message. Unknown parameters are ignored, as section 3.4.3 requires. */
export function parseGeoUri(text: string): GeoPosition | string {
  const match = GEO.exec(text.trim());
  if (!match) return 'must have the form geo:<latitude>,<longitude>[,<altitude>][;u=<uncertainty>]';
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  if (Math.abs(latitude) > 90) return 'must have a latitude between -90 and 90';
  if (Math.abs(longitude) > 180) return 'must have a longitude between -180 and 180';
  const parameters = readParameters(match[4] ?? '');
  if (parameters === undefined) return 'has a parameter that is not ";name=value", or one twice';
  const system = parameters.get('crs')?.toLowerCase();
  if (system !== undefined && system !== 'wgs84') return 'must be in the coordinate reference system wgs84';
  const uncertainty = parameters.get('u');
  if (uncertainty !== undefined && !/^\d+(?:\.\d+)?$/.test(uncertainty)) return 'must have its uncertainty "u" as a number of meters';
  return {
    latitude,
    // The longitude is ignored at the poles (RFC 5870, 3.4.4).
    longitude: Math.abs(latitude) === 90 ? 0 : longitude,
    ...(match[3] === undefined ? {} : { altitude: Number(match[3]) }),
    accuracy: uncertainty === undefined ? DEFAULT_ACCURACY_METRES : Number(uncertainty),
  };
}

function readParameters(text: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const parameter of text.split(';').slice(1)) {
    const [, name = '', value = ''] = /^([a-z\d-]+)(?:=([\w.~%![\]:&+$*'()-]+))?$/i.exec(parameter) ?? [];
    if (name === '' || found.has(name.toLowerCase())) return undefined;
    found.set(name.toLowerCase(), value);
  }
  return found;
}
