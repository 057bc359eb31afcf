import type { InferParams, PlanDraft } from '@platen/kernel';
import { findDevice } from './devices.js';
import { parseAcceptLanguage } from './parse-accept-language.js';
import type { PARAMS } from './params.js';

/** Fills the plan's preset from `device` and its profile from the keys that say something themselves. */
export function planProfile({ params, preset, profile, refuse }: PlanDraft<InferParams<typeof PARAMS>>): void {
  if (params.device !== undefined) {
    const found = findDevice(params.device);
    if ('near' in found) {
      const meant =
        found.near.length > 0
          ? `did you mean ${quoted(found.near)}?`
          : 'there are those of phones and tablets, such as "iPhone 16", "iPad Mini" and "Pixel 9".';
      refuse('device', `"device" names no preset: ${meant} Where Platen is installed, \`platen help device\` lists them all`);
    } else Object.assign(preset, found.device);
  }
  if (params.browser_width !== undefined) profile.width = params.browser_width;
  if (params.browser_height !== undefined) profile.height = params.browser_height;
  if (params.device_scale_factor !== undefined) profile.deviceScaleFactor = params.device_scale_factor;
  for (const [key, field] of [
    ['user_agent', 'userAgent'],
    ['platform', 'platform'],
  ] as const) {
    const value = params[key];
    if (value === undefined) continue;
    if (!/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(value)) refuse(key, `"${key}" must be printable ASCII text on one line`);
    profile[field] = value.trim();
  }
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
