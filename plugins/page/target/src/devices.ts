import type { DeviceProfile } from '@platen/kernel';
import { KnownDevices } from 'puppeteer-core';
import { NEWER_DEVICES } from './newer-devices.js';

export type DevicePreset = Pick<
  DeviceProfile,
  'width' | 'height' | 'deviceScaleFactor' | 'mobile' | 'touchPoints' | 'userAgent' | 'platform'
>;

const byName = new Map<string, { readonly name: string; readonly device: DevicePreset }>();
for (const [name, { userAgent, viewport }] of Object.entries(KnownDevices)) {
  add(name, {
    width: viewport.width,
    height: viewport.height,
    deviceScaleFactor: viewport.deviceScaleFactor ?? 1,
    mobile: viewport.isMobile ?? false,
    touchPoints: viewport.hasTouch === true ? 5 : 0,
    userAgent,
    platform: platformOf(userAgent),
  });
}
for (const { name, width, height, scale, userAgent } of NEWER_DEVICES) {
  const device = { width, height, deviceScaleFactor: scale, mobile: true, touchPoints: 5, userAgent, platform: platformOf(userAgent) };
  add(name, device);
  add(`${name} landscape`, { ...device, width: height, height: width });
}

function add(name: string, device: DevicePreset): void {
  byName.set(squeezed(name), { name, device });
}

/** The names of all presets with viewport in CSS pixels and device scale factor: `393x659@3`. */
export function describeDevices(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...byName.values()].map(({ name, device: { width, height, deviceScaleFactor } }) => [
      name,
      `${String(width)}x${String(height)}@${String(deviceScaleFactor)}`,
    ]),
  );
}

/** The preset of that name, ignoring case and blanks; otherwise the most similar names. */
export function findDevice(name: string): { readonly device: DevicePreset } | { readonly near: readonly string[] } {
  const found = byName.get(squeezed(name));
  if (found) return found;
  const wanted = normal(name);
  const near = [...byName.values()]
    .map((preset) => ({ name: preset.name, key: normal(preset.name) }))
    .map(({ name: known, key }) => ({
      name: known,
      likeness: likeness(withoutNumber(wanted), withoutNumber(key)),
      distance: Math.abs((numberIn(wanted) ?? NEWEST) - (numberIn(key) ?? 0)),
    }))
    .filter((candidate) => candidate.likeness > 0.4)
    .sort((a, b) => b.likeness - a.likeness || a.distance - b.distance || a.name.length - b.name.length);
  return { near: near.slice(0, 3).map((candidate) => candidate.name) };
}

/** The name in the form that distinguishes presets: lower case, without separators. */
function squeezed(name: string): string {
  return normal(name).replaceAll(' ', '');
}

function normal(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

/** The name without its model number. Numbers are compared only within a product line, so an unknown model suggests the newest one. */
function withoutNumber(name: string): string {
  return name.replace(/\d+/g, '0');
}

/** Greater than the number of any preset: a name without a number means the newest model. */
const NEWEST = 100_000;

function numberIn(name: string): number | undefined {
  const digits = /\d+/.exec(name)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Dice coefficient of the pairs of adjacent characters: 0 to 1. */
function likeness(a: string, b: string): number {
  const [left, right] = [pairs(a), pairs(b)];
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return (2 * shared) / Math.max(1, left.size + right.size);
}

function pairs(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/** The value of `navigator.platform` on the system that a user agent names. */
function platformOf(userAgent: string): string {
  if (userAgent.includes('Windows Phone')) return 'Win32';
  if (userAgent.includes('iPhone')) return 'iPhone';
  if (userAgent.includes('iPad')) return 'iPad';
  if (/BB10|PlayBook/.test(userAgent)) return 'BlackBerry';
  return /Android (\d+)/.exec(userAgent)?.[1]?.length === 2 ? 'Linux armv81' : 'Linux armv7l';
}
