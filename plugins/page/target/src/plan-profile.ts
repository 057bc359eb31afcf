import type { PlanDraft } from '@platen/kernel';
import { findDevice } from './devices.js';
import type { TargetParams } from './params.js';
import { hasAcceptLanguage, type TargetHeaders, userAgentOf } from './target-headers.js';

/** A language range (RFC 4647) with its weight (RFC 9110, 12.4.2). */
const ITEM = /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Sets the plan's preset from `device`, and its profile from the other parameters and the `User-Agent` header. */
export function planProfile({ params, preset, profile, refuse }: PlanDraft<TargetParams>, headers: TargetHeaders): void {
  if (params.device !== undefined) {
    const found = findDevice(params.device);
    if ('near' in found) {
      const meant =
        found.near.length > 0
          ? `did you mean ${quoted(found.near)}?`
          : 'there are presets of phones and tablets, such as "iPhone 16", "iPad Mini" and "Pixel 9".';
      refuse('device', `"device" is not the name of a preset: ${meant} \`platen help device\` lists all presets`);
    } else Object.assign(preset, found.device);
  }
  if (params.browser_width !== undefined) profile.width = params.browser_width;
  if (params.browser_height !== undefined) profile.height = params.browser_height;
  if (params.device_scale_factor !== undefined) profile.deviceScaleFactor = params.device_scale_factor;
  const userAgent = userAgentOf(headers);
  if (userAgent !== undefined && params.user_agent !== undefined) {
    refuse('header', '"header" must not contain "User-Agent" if "user_agent" is set: use one of them');
  }
  if (hasAcceptLanguage(headers) && params.accept_language !== undefined) {
    refuse('header', '"header" must not contain "Accept-Language" if "accept_language" is set: use one of them');
  }
  for (const [key, name, field, value] of [
    ['user_agent', '"user_agent"', 'userAgent', params.user_agent],
    ['header', 'the "User-Agent" of "header"', 'userAgent', userAgent],
    ['platform', '"platform"', 'platform', params.platform],
  ] as const) {
    if (value === undefined) continue;
    if (!/^[\x20-\x7e]*$/.test(value) || value.trim() === '') refuse(key, `${name} must be printable ASCII text on one line`);
    profile[field] = value.trim();
  }
  // The request's platform overrides the user agent of a preset, but not the user agent of the request.
  if (profile.userAgent === undefined && profile.platform !== undefined) profile.hintsPlatform = profile.platform;
  // Browsers on phones send both. A preset or an explicit parameter for the device takes precedence.
  if (params.device === undefined && /\bMobile\b/.test(profile.userAgent ?? '')) preset.hintsMobile = true;
  if (params.accept_language !== undefined) {
    const parsed = parseAcceptLanguage(params.accept_language);
    if (parsed === undefined) {
      refuse('accept_language', '"accept_language" must be a list of language tags such as "de-CH, de;q=0.9, en;q=0.5"');
    } else {
      profile.acceptLanguage = parsed.languages;
      profile.languageHeader = parsed.header;
    }
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ');
}

interface AcceptLanguage {
  /** Languages by preference; undefined if the value names none, so that any language is acceptable. */
  readonly languages: string | undefined;
  /** The header as given, without blanks; undefined to let the browser add the weights. */
  readonly header: string | undefined;
}

/** Parses an Accept-Language header (RFC 9110, 12.5.4). Returns undefined if it is invalid or refuses every language. */
export function parseAcceptLanguage(value: string): AcceptLanguage | undefined {
  const items = value.split(',').map((item) => ITEM.exec(item.trim()));
  const known = items.filter((item) => item !== null);
  if (known.length < items.length) return undefined;
  const accepted = known
    .map(([, range = '', weight = '1']) => ({ range, weight: Number(weight) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  if (accepted.length === 0) return undefined;
  const languages = new Set(accepted.filter(({ range }) => range !== '*').map(({ range }) => range));
  const isPlain = known.every(([, range, weight]) => range !== '*' && weight === undefined);
  return {
    languages: languages.size > 0 ? [...languages].join(',') : undefined,
    header: isPlain ? undefined : known.map(([item]) => item.replace(/\s/g, '')).join(','),
  };
}
