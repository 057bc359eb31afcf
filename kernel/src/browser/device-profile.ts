import type { TargetInitializer, DeviceProfile, TargetSession, TargetTree } from './contract.js';
import { type UserAgentProfile, identityOf, type OwnIdentity } from './user-agent-profile.js';
import { frameScreenShim, type Orientation, orientationOf, windowShim } from './screen-shim.js';
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
  if (target.kind !== 'page' && target.kind !== 'iframe') return [];
  return [
    target.send('Emulation.setTouchEmulationEnabled', {
      enabled: touchPoints > 0,
      ...(touchPoints > 0 ? { maxTouchPoints: touchPoints } : {}),
    }),
  ];
}
