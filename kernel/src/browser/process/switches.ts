import type { DeviceProfile } from '../emulation/contract.js';
import { DEFAULT_PROFILE } from '../emulation/device-profile.js';
import { DEFAULT_LANGUAGES, languageHeader } from '../emulation/user-agent-profile.js';
import type { BrowserVariant } from './contract.js';

type Switch = readonly [name: string, reason: string];

/** Pages reach the network only through the proxy of their own browser context. */
const NETWORK: readonly Switch[] = [
  ['--proxy-server=http://127.0.0.1:1', 'a dead proxy: requests without a browser context, which have no proxy, fail closed'],
  ['--proxy-bypass-list=<-loopback>', 'Chromium sends loopback and link-local addresses past a proxy by default'],
  ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', 'names are resolved by the proxy alone'],
  ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', 'WebRTC sends UDP past any proxy; spelling of the headless shell'],
  ['--webrtc-ip-handling-policy=disable_non_proxied_udp', 'the same, spelling of full Chromium'],
  ['--disable-quic', 'QUIC is UDP'],
];

/** Disables the browser's own connections. */
const SILENCE: readonly Switch[] = [
  ['--disable-background-networking', 'no update checks, no safe-browsing lists, no field trials'],
  ['--disable-component-update', 'no component downloads'],
  ['--disable-domain-reliability', 'no reports to site owners that asked for them'],
  ['--disable-client-side-phishing-detection', 'no model downloads'],
  ['--disable-sync', 'no account'],
  ['--disable-field-trial-config', 'the same behavior on every start'],
  ['--disable-breakpad', 'no crash dumps that hold page content'],
  ['--disable-crash-reporter', 'no crash handler process beside the browser'],
  ['--metrics-recording-only', 'no metrics upload'],
  ['--no-first-run', 'no welcome page'],
  ['--no-default-browser-check', 'no question'],
  ['--disable-default-apps', 'nothing installed on first start'],
  ['--disable-extensions', 'pages see no extension'],
  ['--disable-component-extensions-with-background-pages', 'no background pages beside ours'],
  ['--disable-search-engine-choice-screen', 'no question'],
  ['--password-store=basic', 'no desktop keyring'],
  ['--use-mock-keychain', 'no desktop keyring, macOS'],
  ['--no-startup-window', 'no page besides those of renders'],
  ['--deny-permission-prompts', 'no user can respond'],
];

/** Makes drawing and its timing depend on the page alone. */
const RENDERING: readonly Switch[] = [
  ['--site-per-process', 'sites are isolated from each other by processes, on any amount of memory'],
  ['--disable-checker-imaging', 'images are painted with the page, not a few frames later: a screenshot shows every loaded image'],
  ['--hide-scrollbars', 'no scrollbars in screenshots'],
  ['--mute-audio', 'no sound card is used'],
  ['--font-render-hinting=none', 'glyphs keep their shapes and advances at every scale, as on the sites that users know'],
  ['--force-color-profile=srgb', 'the same colors on every host'],
  ['--lang=en-US', "independent of the host's locale"],
  ['--disable-background-timer-throttling', 'no page is in the background'],
  ['--disable-backgrounding-occluded-windows', 'no page is in the background'],
  ['--disable-renderer-backgrounding', 'no page is in the background'],
  ['--disable-hang-monitor', 'the render deadline ends hanging pages'],
  ['--disable-prompt-on-repost', 'a reload never prompts'],
];

/** All renders of a browser process share its clipboard and its primary selection. Settings are numbers of Chromium's own enumerations. */
const BLINK_SETTINGS: readonly Switch[] = [
  ['middleClickPasteAllowed=false', 'no page reads what another one has selected'],
  ['selectionClipboardBufferAvailable=false', 'the same'],
  // The host has no mouse. The emulation of a mobile device overrides these.
  ['availablePointerTypes=4', '`(any-pointer: fine)`'],
  ['primaryPointerType=4', '`(pointer: fine)`'],
  ['availableHoverTypes=2', '`(any-hover: hover)`'],
  ['primaryHoverType=2', '`(hover: hover)`'],
];

const DISABLED_FEATURES: readonly Switch[] = [
  ['AcceptCHFrame', 'restarts navigations that set client hints (crbug.com/1348106)'],
  ['Translate', 'no bubble, no model'],
  ['OptimizationHints', 'no download'],
  ['MediaRouter', 'no discovery of devices on the local network'],
  ['DialMediaRouteProvider', 'the same'],
  ['NetworkTimeServiceQuerying', 'no time server'],
  ['CertificateTransparencyComponentUpdater', 'no download'],
  ['AutofillServerCommunication', 'no form contents are sent'],
  ['HttpsUpgrades', 'the requested URL is fetched unchanged'],
  ['HttpsFirstBalancedModeAutoEnable', 'the same'],
  ['SpareRendererForSitePerProcess', 'pages are opened in advance; the spare process would start during a navigation (50 ms become 13)'],
  [
    'IsolateSandboxedIframes',
    'a sandboxed `srcdoc` iframe in its own process is not paused for its session: its first statements and requests would be missed',
  ],
  ['ProcessPerSiteUpToMainFrameThreshold', 'renders of one site do not share a process (crbug.com/1492053)'],
];

export interface SwitchOptions {
  readonly variant: BrowserVariant;
  /** The browser's own folder, see `createPrivateFolder`. */
  readonly profileFolder: string;
  /** The user agent of requests that no protocol session covers; undefined if the version could not be read. */
  readonly userAgent: string | undefined;
  readonly sandbox: boolean;
  /** Size of `/dev/shm` in bytes; undefined if it does not exist. */
  readonly sharedMemory: number | undefined;
  readonly extra: readonly string[];
}

const SITE_PER_PROCESS = '--site-per-process';
/** Frames drawn at command and a process for each site exclude each other: the headless shell does not start with both. */
const BEGIN_FRAMES = '--enable-begin-frame-control';
/** Disables it also for documents that request their own process (`Origin-Agent-Cluster`), unless the browser isolates every site. */
const NO_ISOLATION = '--disable-site-isolation-trials';

function excludesIsolation({ variant, extra }: Pick<SwitchOptions, 'variant' | 'extra'>): boolean {
  return extra.includes(NO_ISOLATION) || (variant === 'shell' && extra.includes(BEGIN_FRAMES));
}

/** Chromium needs this much shared memory for tall pages. */
const SHARED_MEMORY_NEEDED = 512 * 2 ** 20;

/**
 * Screen and window sizes of the browser: cross-site iframes and popups use them, whatever the page's emulation. If a switch is given
 * twice, the last one counts.
 */
export function screenSwitches({ width, height, deviceScaleFactor: scale }: Pick<DeviceProfile, 'width' | 'height' | 'deviceScaleFactor'>) {
  const [deviceWidth, deviceHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  return [`--window-size=${String(width)},${String(height)}`, `--screen-info={${String(deviceWidth)}x${String(deviceHeight)}}`] as const;
}

/** Scale of the screen, which applies to everything painted. An emulated scale does not cross processes. */
export function scaleSwitches(profile: Pick<DeviceProfile, 'width' | 'height' | 'deviceScaleFactor'>): readonly string[] {
  return [...screenSwitches(profile), `--force-device-scale-factor=${String(profile.deviceScaleFactor)}`];
}

/** Of a switch that is given twice the browser takes the last one only: ours of these are lists, which follow those of `extra`. */
const LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['--disable-features=', DISABLED_FEATURES.map(([name]) => name)],
  ['--blink-settings=', BLINK_SETTINGS.map(([setting]) => setting)],
]);

/** The whole command line: none of puppeteer's own defaults is used. */
export function listSwitches({ variant, profileFolder, userAgent, sandbox, sharedMemory, extra }: SwitchOptions): readonly string[] {
  const given = (list: string) => extra.filter((one) => one.startsWith(list)).map((one) => one.slice(list.length));
  const general = [...NETWORK, ...SILENCE, ...RENDERING].map(([name]) => name);
  const isolates = !excludesIsolation({ variant, extra });
  return [
    variant === 'full' ? '--headless=new' : '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profileFolder}`,
    ...general.filter((name) => isolates || name !== SITE_PER_PROCESS),
    // Independent of the host's locale. The headless shell uses the text as the header value, unchanged.
    `--accept-lang=${variant === 'full' ? DEFAULT_LANGUAGES : languageHeader(DEFAULT_LANGUAGES)}`,
    ...screenSwitches(DEFAULT_PROFILE),
    ...[...LISTS].map(([list, ours]) => `${list}${[...given(list), ...ours].join(',')}`),
    ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(sharedMemory !== undefined && sharedMemory < SHARED_MEMORY_NEEDED ? ['--disable-dev-shm-usage'] : []),
    ...extra.filter((one) => ![...LISTS.keys()].some((list) => one.startsWith(list))),
  ];
}
