import type { TargetInitializer, TargetKind } from '@platen/kernel';
import { type EmulateParams, findTimezone, parseGeoUri } from './plan-emulation.js';

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

/** Properties that no protocol command emulates. */
interface ShimSettings {
  readonly absent: readonly ('bluetooth' | 'serial' | 'usb')[];
  /** Gigabytes. 0: remove the property. null: unchanged. */
  readonly memory: number | null;
  readonly gpuVendor: string | null;
  readonly gpuRenderer: string | null;
}

/** Source text to run before any script of a document or worker; undefined if there is nothing to change. */
function shimSource(settings: ShimSettings): string | undefined {
  const { absent, memory, gpuVendor, gpuRenderer } = settings;
  if (absent.length === 0 && memory === null && gpuVendor === null && gpuRenderer === null) return undefined;
  return `(${install.toString()})(${JSON.stringify(settings)})`;
}

type Native = (...given: unknown[]) => unknown;

type Property = Omit<PropertyDescriptor, 'get' | 'value'> & { get?: Native; value?: unknown };

type Change = (real: unknown, given: readonly unknown[]) => unknown;

/**
 * Runs in the page or worker. Replaced properties look native: same property descriptors, names, lengths and source text. They also throw
 * for foreign receivers, since the original is always called first.
 */
function install({ absent, memory, gpuVendor, gpuRenderer }: ShimSettings): void {
  const scope: object = globalThis;
  // Stored because the page may replace any of these later.
  const { apply, deleteProperty, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const originals = new WeakMap<object, object>();
  const originalOf = originals.get.bind(originals);
  const wrap = (native: Native, change: Change): Native => {
    const wrapper = new Proxy(native, { apply: (target, receiver, given) => change(apply(target, receiver, given), given) });
    originals.set(wrapper, native);
    return wrapper;
  };
  const propertyOf = (owner: object, key: string): Property => getOwnPropertyDescriptor(owner, key) ?? {};
  const replace = (owner: object, key: string, change: Change): void => {
    const { get, value, ...rest } = propertyOf(owner, key);
    if (get) defineProperty(owner, key, { ...rest, get: wrap(get, change) });
    else if (typeof value === 'function') defineProperty(owner, key, { ...rest, value: wrap(value as Native, change) }); // just checked
  };
  const prototypeOf = (name: string): object | undefined => {
    const { value } = propertyOf(scope, name);
    return typeof value === 'function' ? (value as { prototype: object }).prototype : undefined; // interface objects have a prototype
  };

  const navigatorPrototype = prototypeOf('Navigator') ?? prototypeOf('WorkerNavigator') ?? {};
  const interfaces = { bluetooth: /^Bluetooth/, serial: /^Serial(?:Port)?$/, usb: /^USB/ };
  for (const api of absent) {
    deleteProperty(navigatorPrototype, api);
    for (const key of ownKeys(scope)) if (typeof key === 'string' && interfaces[api].test(key)) deleteProperty(scope, key);
  }
  if (memory === 0) deleteProperty(navigatorPrototype, 'deviceMemory');
  else if (memory !== null) replace(navigatorPrototype, 'deviceMemory', () => memory);

  // UNMASKED_VENDOR_WEBGL and UNMASKED_RENDERER_WEBGL: null until the page enables the extension.
  const strings: Readonly<Record<number, string | null>> = { 0x9245: gpuVendor, 0x9246: gpuRenderer };
  for (const name of gpuVendor === null && gpuRenderer === null ? [] : ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    replace(prototypeOf(name) ?? {}, 'getParameter', (real, [parameter]) =>
      typeof real === 'string' ? (strings[Number(parameter)] ?? real) : real,
    );
  }

  if (memory === null && gpuVendor === null && gpuRenderer === null) return;
  // `toString` of each replacement returns the source text of the original, including for this replacement.
  const { value: toString, ...rest } = propertyOf(Function.prototype, 'toString');
  if (typeof toString !== 'function') return;
  const say = new Proxy(toString, {
    apply: (target, receiver: object, given): unknown => apply(target, originalOf(receiver) ?? receiver, given),
  });
  originals.set(say, toString);
  defineProperty(Function.prototype, 'toString', { ...rest, value: say });
}
