import { clientHints, platformOf } from './client-hints.js';
import type { Configurator, DeviceProfile, TargetKind, TargetSession, TargetTree } from './contract.js';
import { workerShim } from './worker-shim.js';

/** What a render looks like whose request says nothing of it. */
export const DEFAULT_PROFILE: DeviceProfile = Object.freeze({
  width: 1280,
  height: 720,
  deviceScaleFactor: 1,
  mobile: false,
  touchPoints: 0,
  userAgent: undefined,
  platform: undefined,
  acceptLanguage: undefined,
});

const DEFAULT_LANGUAGES = 'en-US,en';

/** The running browser's own identity. */
export interface OwnIdentity {
  readonly userAgent: string;
  readonly version: string;
}

/** Keeps every target of one render at the profile, also when it changes. */
export interface ProfileControl {
  readonly current: DeviceProfile;
  /** The headers by which every request says who it comes from. */
  readonly headers: { readonly 'User-Agent': string; readonly 'Accept-Language': string };
  /** Gives a target the whole profile. */
  readonly configure: Configurator;
  /** Sends what differs to all targets; resolves when the primary page has it. */
  change(profile: Partial<DeviceProfile>, tree: TargetTree): Promise<void>;
}

type Aspect = (profile: DeviceProfile, target: TargetSession, own: OwnIdentity) => readonly Promise<unknown>[];

/** What of a profile goes out together, and the keys that make it go out again. */
const ASPECTS: readonly { readonly keys: readonly (keyof DeviceProfile)[]; readonly send: Aspect }[] = [
  { keys: ['userAgent', 'platform', 'acceptLanguage', 'mobile'], send: sendIdentity },
  { keys: ['width', 'height', 'deviceScaleFactor', 'mobile'], send: sendMetrics },
  { keys: ['touchPoints'], send: sendTouch },
];

export function createProfileControl(initial: DeviceProfile, own: OwnIdentity): ProfileControl {
  let current = initial;
  return {
    get current() {
      return current;
    },
    get headers() {
      return {
        'User-Agent': current.userAgent ?? own.userAgent,
        'Accept-Language': languageHeader(current.acceptLanguage ?? DEFAULT_LANGUAGES),
      };
    },
    configure: (target) =>
      ASPECTS.filter(({ send }) => send !== sendTouch || current.touchPoints > 0).flatMap(({ send }) => send(current, target, own)),
    async change(profile, tree) {
      const before = current;
      current = { ...before, ...profile };
      const changed = ASPECTS.filter(({ keys }) => keys.some((key) => before[key] !== current[key]));
      await Promise.all(
        tree.all.flatMap((target) => {
          const sent = changed.flatMap(({ send }) => send(current, target, own));
          if (target.primary) return sent;
          for (const promise of sent) promise.catch(() => undefined);
          return [];
        }),
      );
    },
  };
}

const WORKERS: readonly TargetKind[] = ['worker', 'shared_worker', 'service_worker'];

function sendIdentity(profile: DeviceProfile, target: TargetSession, own: OwnIdentity): readonly Promise<unknown>[] {
  if (target.kind === 'worklet') return [];
  const userAgent = profile.userAgent ?? own.userAgent;
  const platform = profile.platform ?? (profile.userAgent === undefined ? undefined : platformOf(profile.userAgent));
  const languages = profile.acceptLanguage ?? DEFAULT_LANGUAGES;
  const userAgentMetadata = clientHints({
    userAgent,
    ownVersion: profile.userAgent === undefined ? own.version : undefined,
    mobile: profile.mobile,
  });
  const sent: Promise<unknown>[] = [
    target.send('Emulation.setUserAgentOverride', {
      userAgent,
      acceptLanguage: languages,
      ...(platform === undefined ? {} : { platform }),
      ...(userAgentMetadata === undefined ? {} : { userAgentMetadata }),
    }),
  ];
  const { userAgent: ownAgent, platform: ownPlatform, acceptLanguage: ownLanguages } = DEFAULT_PROFILE;
  const differs = profile.userAgent !== ownAgent || profile.platform !== ownPlatform || profile.acceptLanguage !== ownLanguages;
  if (differs && WORKERS.includes(target.kind)) sent.push(...sendToWorker(target, { userAgent, platform, languages }));
  return sent;
}

/** Workers take the override for their requests, but not (all of) it for their `navigator`. */
function sendToWorker(
  target: TargetSession,
  { userAgent, platform, languages }: { readonly userAgent: string; readonly platform: string | undefined; readonly languages: string },
): readonly Promise<unknown>[] {
  const expression = workerShim({
    userAgent,
    appVersion: userAgent.replace(/^Mozilla\//, ''),
    ...(platform === undefined ? {} : { platform }),
  });
  const sent: Promise<unknown>[] = [target.send('Runtime.evaluate', { expression })];
  if (target.kind === 'worker') {
    // The main script of a nested worker is requested by its parent worker, outside the reach of the override.
    const headers = { 'User-Agent': userAgent, 'Accept-Language': languageHeader(languages) };
    sent.push(target.send('Network.enable'), target.send('Network.setExtraHTTPHeaders', { headers }));
  }
  return sent;
}

/** `fr-CH,fr` as browsers send it: `fr-CH,fr;q=0.9`. */
export function languageHeader(languages: string): string {
  return languages
    .split(',')
    .map((language, index) => (index === 0 ? language.trim() : `${language.trim()};q=${String(Math.max(10 - index, 1) / 10)}`))
    .join(',');
}

function sendMetrics(profile: DeviceProfile, target: TargetSession): readonly Promise<unknown>[] {
  if (target.kind !== 'page') return [];
  const { width, height, deviceScaleFactor, mobile } = profile;
  const landscape = width > height;
  return [
    target.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor,
      mobile,
      screenWidth: width,
      screenHeight: height,
      ...(mobile ? { screenOrientation: landscape ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 } } : {}),
    }),
  ];
}

function sendTouch({ touchPoints }: DeviceProfile, target: TargetSession): readonly Promise<unknown>[] {
  if (target.kind !== 'page' && target.kind !== 'iframe') return [];
  return [
    target.send('Emulation.setTouchEmulationEnabled', {
      enabled: touchPoints > 0,
      ...(touchPoints > 0 ? { maxTouchPoints: touchPoints } : {}),
    }),
  ];
}
