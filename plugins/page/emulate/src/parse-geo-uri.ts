/** Degrees and meters, WGS 84. */
export interface GeoPosition {
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
