import type { TargetInitializer, TargetSession, TargetTree } from '../protocol/contract.js';
import type { DeviceProfile } from './contract.js';
import { identityOf, type OwnIdentity, type UserAgentProfile } from './user-agent-profile.js';
import { emulateUserAgent } from './emulate-user-agent.js';

/** Default environment of a render. */
export const DEFAULT_PROFILE: DeviceProfile = Object.freeze({
  width: 1280,
  height: 720,
  deviceScaleFactor: 1,
  mobile: false,
  touchPoints: 0,
  userAgent: undefined,
  platform: undefined,
  hintsPlatform: undefined,
  hintsMobile: undefined,
  acceptLanguage: undefined,
  languageHeader: undefined,
});

/** Keeps every target of one render at the profile, also when it changes. */
export interface ProfileControl {
  readonly current: DeviceProfile;
  /** Properties that identify the page's browser. */
  readonly identity: UserAgentProfile;
  /** Applies the whole profile to a target. */
  readonly configure: TargetInitializer;
  /** Sends the differences to all targets; resolves when the primary page has applied them. */
  change(profile: Partial<DeviceProfile>, tree: TargetTree): Promise<void>;
}

interface Wanted {
  readonly profile: DeviceProfile;
  readonly identity: UserAgentProfile;
  readonly orientation: Orientation;
  /** The target had another profile before, so defaults of new targets must be set explicitly. */
  readonly changed: boolean;
}

type Aspect = (wanted: Wanted, target: TargetSession) => readonly Promise<unknown>[];

/** Parts of a profile that are sent together, and the keys whose changes require sending them again. */
const ASPECTS: readonly { readonly keys: readonly (keyof DeviceProfile)[]; readonly send: Aspect }[] = [
  {
    keys: ['userAgent', 'platform', 'hintsPlatform', 'hintsMobile', 'acceptLanguage', 'languageHeader', 'mobile'],
    send: ({ identity }, target) => emulateUserAgent(identity, target),
  },
  { keys: ['width', 'height', 'deviceScaleFactor', 'mobile'], send: sendMetrics },
  { keys: ['touchPoints'], send: sendTouch },
];

export function createProfileControl(initial: DeviceProfile, own: OwnIdentity): ProfileControl {
  let current = initial;
  let identity = identityOf(initial, own);
  let orientation = orientationOf(initial);
  return {
    get current() {
      return current;
    },
    get identity() {
      return identity;
    },
    configure: (target) =>
      ASPECTS.filter(({ send }) => send !== sendTouch || current.touchPoints > 0).flatMap(({ send }) =>
        send({ profile: current, identity, orientation, changed: false }, target),
      ),
    async change(profile, tree) {
      const before = current;
      current = { ...before, ...profile };
      identity = identityOf(current, own);
      // To show more of a page below is not to turn its device.
      if (profile.width !== undefined) orientation = orientationOf(current);
      const wanted = { profile: current, identity, orientation, changed: true };
      const changed = ASPECTS.filter(({ keys }) => keys.some((key) => before[key] !== current[key]));
      await Promise.all(
        tree.all.flatMap((target) => {
          const sent = changed.flatMap(({ send }) => send(wanted, target));
          if (target.primary) return sent;
          for (const promise of sent) promise.catch(() => undefined);
          return [];
        }),
      );
    },
  };
}

function sendMetrics({ profile, orientation, changed }: Wanted, target: TargetSession): readonly Promise<unknown>[] {
  const { width, height, deviceScaleFactor, mobile } = profile;
  // The screen that the browser was started with needs no pretending.
  const pretends = changed || width !== DEFAULT_PROFILE.width || height !== DEFAULT_PROFILE.height || deviceScaleFactor !== 1 || mobile;
  if (target.kind === 'iframe') return target.inject(frameScreenShim(profile, orientation));
  if (target.kind !== 'page') return [];
  return [
    target.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor,
      mobile,
      screenWidth: width,
      screenHeight: height,
      ...(pretends ? { screenOrientation: orientation } : {}),
    }),
    // A window has no size before it is shown.
    ...target.inject(windowShim(profile)),
  ];
}

function sendTouch({ profile: { touchPoints } }: Wanted, target: TargetSession): readonly Promise<unknown>[] {
  if (!target.hasDocuments) return [];
  return [
    target.send('Emulation.setTouchEmulationEnabled', {
      enabled: touchPoints > 0,
      ...(touchPoints > 0 ? { maxTouchPoints: touchPoints } : {}),
    }),
  ];
}

/** Screen and window properties of a document. Sizes in CSS pixels. */
interface ScreenShim {
  readonly screen: Readonly<Record<string, number>>;
  readonly orientation: Readonly<Record<string, string | number>>;
  readonly window: Readonly<Record<string, number>>;
}

/** How a device is held (Screen Orientation, `OrientationType`, in the protocol's spelling), and by how many degrees it was turned. */
interface Orientation {
  readonly type: 'landscapePrimary' | 'portraitPrimary';
  readonly angle: number;
}

/** A wide phone is in landscape orientation; a desktop's screen is always in its natural orientation. */
function orientationOf({ width, height, mobile }: Pick<DeviceProfile, 'width' | 'height' | 'mobile'>): Orientation {
  const isWide = mobile ? width > height : width >= height;
  return isWide ? { type: 'landscapePrimary', angle: mobile ? 90 : 0 } : { type: 'portraitPrimary', angle: 0 };
}

/** Source text for a frame of another site: the emulation of a page's screen ends at the border of its process. */
function frameScreenShim({ width, height, deviceScaleFactor }: DeviceProfile, { type, angle }: Orientation): string {
  return source({
    screen: { width, height, availWidth: width, availHeight: height },
    orientation: { type: type === 'landscapePrimary' ? 'landscape-primary' : 'portrait-primary', angle },
    window: { devicePixelRatio: deviceScaleFactor, outerWidth: width, outerHeight: height },
  });
}

/** Source text for a page: its window has the browser's default size, or none yet, whatever the emulated size. */
function windowShim({ width, height }: DeviceProfile): string {
  return source({ screen: {}, orientation: {}, window: { outerWidth: width, outerHeight: height } });
}

function source(shim: ScreenShim): string {
  return `(${install.toString()})(${JSON.stringify(shim)})`;
}

/** Runs in the document, before its scripts. */
function install({ screen: ofScreen, orientation, window: ofWindow }: ScreenShim): void {
  const replace = (owner: object, values: Readonly<Record<string, string | number>>): void => {
    for (const [key, value] of Object.entries(values)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (!descriptor?.get) continue;
      const get = new Proxy(descriptor.get, {
        apply(target, receiver, given) {
          Reflect.apply(target, receiver, given);
          return value;
        },
      });
      Object.defineProperty(owner, key, { ...descriptor, get });
    }
  };
  replace(Screen.prototype, ofScreen);
  replace(ScreenOrientation.prototype, orientation);
  replace(window, ofWindow);
}
