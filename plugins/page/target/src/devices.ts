import type { DeviceProfile } from '@platen/kernel';
// Not from the package's root: that loads all of puppeteer, a quarter of a second, for each `platen --help` too.
import { KnownDevices } from 'puppeteer-core/internal/common/Device.js';

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${SAFARI}`;
const NEWER_DEVICES: readonly NewerDevice[] = [
  { name: 'iPhone 16', width: 393, height: 659, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16e', width: 390, height: 664, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Plus', width: 430, height: 739, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Pro', width: 402, height: 681, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Pro Max', width: 440, height: 763, scale: 3, userAgent: IPHONE },
  { name: 'iPad Pro 13', width: 1032, height: 1376, scale: 2, userAgent: IPAD },
  { name: 'Pixel 6', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 6') },
  { name: 'Pixel 7', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 7') },
  { name: 'Pixel 8', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 8') },
  { name: 'Pixel 9', width: 412, height: 924, scale: 2.625, userAgent: android('Pixel 9') },
  { name: 'Galaxy S20 Ultra', width: 412, height: 915, scale: 3.5, userAgent: android('SM-G988B') },
  { name: 'Galaxy S23', width: 360, height: 780, scale: 3, userAgent: android('SM-S911B') },
  { name: 'Galaxy S24', width: 360, height: 780, scale: 3, userAgent: android('SM-S921B') },
];

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

/** A device that puppeteer's list does not contain. Sizes in CSS pixels, portrait; for phones without the browser's toolbars. */
interface NewerDevice {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly userAgent: string;
}

function android(model: string): string {
  return `Mozilla/5.0 (Linux; Android 14; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;
}
