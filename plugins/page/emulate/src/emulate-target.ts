import type { TargetInitializer, TargetKind } from '@platen/kernel';
import { parseGeoUri } from './parse-geo-uri.js';
import { findTimezone, type EmulateParams } from './plan-emulation.js';
import { shimSource } from './shim.js';

const DOCUMENTS: readonly TargetKind[] = ['page', 'iframe'];

/** Applies the emulation to every target while it is paused (waitForDebuggerOnStart): with protocol commands, otherwise with a shim. */
export function emulateIn(params: EmulateParams): TargetInitializer {
  const timezoneId = findTimezone(params.emulate_timezone ?? '');
  const hardwareConcurrency = params.emulate_hardware_concurrency;
  const absent = (['bluetooth', 'serial', 'usb'] as const).filter((api) => params[`emulate_disable_${api}`] === true);
  const shim = shimSource({
    absent,
    memory: params.emulate_memory ?? null,
    gpuVendor: params.emulate_gpu_vendor ?? null,
    gpuRenderer: params.emulate_gpu_renderer ?? null,
  });
  const inDocuments = emulateInDocuments(params);
  return (target) => {
    // Worklets have neither a time zone, a processor count nor `navigator`.
    if (target.kind === 'worklet') return [];
    const isDocument = DOCUMENTS.includes(target.kind);
    return [
      ...(timezoneId === undefined ? [] : [target.send('Emulation.setTimezoneOverride', { timezoneId })]),
      ...(hardwareConcurrency === undefined ? [] : [target.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency })]),
      ...(shim === undefined ? [] : target.inject(shim, { needsInterfaces: absent.length > 0 })),
      ...(isDocument ? inDocuments(target) : []),
    ];
  };
}

/** Settings that only documents have: media, geolocation and rendering. */
function emulateInDocuments(params: EmulateParams): TargetInitializer {
  const { emulate_dark_mode: dark, emulate_media: media, emulate_vision_deficiency: vision } = params;
  const position = parseGeoUri(params.emulate_geolocation ?? '');
  return (target) => [
    ...(dark === undefined && media === undefined
      ? []
      : [
          target.send('Emulation.setEmulatedMedia', {
            media: media?.toLowerCase() ?? '',
            features: [{ name: 'prefers-color-scheme', value: dark === true ? 'dark' : 'light' }],
          }),
        ]),
    ...(vision === undefined ? [] : [target.send('Emulation.setEmulatedVisionDeficiency', { type: vision })]),
    ...(typeof position === 'string' ? [] : [target.send('Emulation.setGeolocationOverride', position)]),
  ];
}
