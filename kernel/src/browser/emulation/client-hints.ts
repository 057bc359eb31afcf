import type { Params } from '../protocol/contract.js';

/** `Emulation.UserAgentMetadata`: the values of `navigator.userAgentData` and the `Sec-CH-UA-*` headers. */
export type UserAgentMetadata = NonNullable<NonNullable<Params<'Emulation.setUserAgentOverride'>[0]>['userAgentMetadata']>;

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** The user agent of a desktop Chrome of this version on this machine, in its reduced form (user-agent reduction, phase 5). */
export function browserUserAgent(version: string): string {
  const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    darwin: 'Macintosh; Intel Mac OS X 10_15_7',
    win32: 'Windows NT 10.0; Win64; x64',
  };
  const system = systems[process.platform] ?? 'X11; Linux x86_64';
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorOf(version)}.0.0.0 Safari/537.36`;
}

export interface HintsSource {
  readonly userAgent: string;
  /** The running browser's full version if the user agent is the browser's own; undefined for any other user agent. */
  readonly ownVersion: string | undefined;
  readonly mobile: boolean;
  /** The mobile client hint, whatever the user agent says. Undefined: as in the user agent's browser. */
  readonly saysMobile?: boolean | undefined;
  /** `navigator.platform`, if the request sets it but no user agent. The hints follow it if it is a known platform. */
  readonly platform?: string | undefined;
}

/** Client hints that agree with the user agent; undefined for browsers that send none (Firefox, Safari). */
export function clientHints({ userAgent, ownVersion, mobile, saysMobile, platform }: HintsSource): UserAgentMetadata | undefined {
  const chrome = /\b(?:Headless)?Chrome\/(\d[\d.]*)/.exec(userAgent)?.[1];
  // Every browser on iOS is Safari in this respect.
  if (chrome === undefined || /^(?:iPhone|iPad)$/.test(platform ?? '')) return undefined;
  const fullVersion = ownVersion ?? padVersion(chrome);
  const product = ownVersion === undefined ? productOf(userAgent, fullVersion) : undefined;
  const brands = orderBrands(Number(majorOf(fullVersion)), [{ brand: 'Chromium', version: fullVersion }, ...(product ? [product] : [])]);
  const system = systemNamed({ platform, mobile: saysMobile ?? mobile }) ?? systemOf(userAgent);
  const isTablet = system.platform === 'Android' && isTabletAgent(userAgent);
  const says = saysMobile ?? (mobile && !isTablet);
  return {
    brands: brands.map(({ brand, version }) => ({ brand, version: majorOf(version) })),
    fullVersionList: brands.map(({ brand, version }) => ({ brand, version: padVersion(version) })),
    // oxlint-disable-next-line typescript/no-deprecated -- pages still read it as `uaFullVersion`
    fullVersion,
    ...system,
    mobile: says,
    wow64: false,
    formFactors: [says ? 'Mobile' : isTablet ? 'Tablet' : 'Desktop'],
  };
}

/**
 * Chrome on a tablet has a phone's user agent except for one word, and is not reported as mobile
 * (developer.chrome.com/docs/multidevice/user-agent).
 */
function isTabletAgent(userAgent: string): boolean {
  return /\bAndroid\b/.test(userAgent) && !/\bMobile\b/.test(userAgent);
}

/** The browser's brand in addition to Chromium. */
function productOf(userAgent: string, fullVersion: string): Brand {
  const edge = /\bEdg(?:A|iOS)?\/(\d[\d.]*)/.exec(userAgent)?.[1];
  if (edge !== undefined) return { brand: 'Microsoft Edge', version: padVersion(edge) };
  const opera = /\bOPR\/(\d[\d.]*)/.exec(userAgent)?.[1];
  if (opera !== undefined) return { brand: 'Opera', version: padVersion(opera) };
  return { brand: 'Google Chrome', version: fullVersion };
}

/** Adds a meaningless brand and shuffles the list, as Chromium does (components/embedder_support/user_agent_utils.cc). */
function orderBrands(seed: number, known: readonly Brand[]): readonly Brand[] {
  const characters = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
  const character = (offset: number) => characters[(seed + offset) % characters.length] ?? ' ';
  const grease = { brand: `Not${character(0)}A${character(1)}Brand`, version: ['8', '99', '24'][seed % 3] ?? '99' };
  const orders = known.length === 1 ? ['01', '10'] : ['012', '021', '102', '120', '201', '210'];
  const order = orders[seed % orders.length] ?? '';
  // `order[i]` is the place of the i-th of (grease, Chromium, product).
  return [grease, ...known]
    .map((brand, index) => ({ brand, place: Number(order[index] ?? index) }))
    .sort((a, b) => a.place - b.place)
    .map(({ brand }) => brand);
}

type System = Pick<UserAgentMetadata, 'platform' | 'platformVersion' | 'architecture' | 'bitness' | 'model'>;

function systemOf(userAgent: string): System {
  const android = /Android (\d[\d.]*)(?:; ([^;)]+))?/.exec(userAgent);
  if (android)
    return {
      platform: 'Android',
      platformVersion: threeParts(android[1] ?? ''),
      architecture: '',
      bitness: '',
      model: modelOf(android[2]),
    };
  const desktop = { architecture: /\b(?:aarch64|arm64)\b/i.test(userAgent) ? 'arm' : 'x86', bitness: '64', model: '' };
  const mac = /Mac OS X (\d[\d_.]*)/.exec(userAgent)?.[1];
  if (mac !== undefined) return { platform: 'macOS', platformVersion: threeParts(mac.replaceAll('_', '.')), ...desktop };
  if (userAgent.includes('Windows NT')) return { platform: 'Windows', platformVersion: '10.0.0', ...desktop };
  if (/\bCrOS\b/.test(userAgent)) return { platform: 'Chrome OS', platformVersion: '', ...desktop };
  return { platform: 'Linux', platformVersion: '', ...desktop };
}

/** The operating system of a `navigator.platform`; undefined if Chromium does not run on it. */
function systemNamed({ platform, mobile }: Pick<HintsSource, 'platform' | 'mobile'>): System | undefined {
  const desktop = { architecture: 'x86', bitness: '64', model: '' };
  if (platform === 'Win32') return { platform: 'Windows', platformVersion: '10.0.0', ...desktop };
  if (platform === 'MacIntel') return { platform: 'macOS', platformVersion: '10.15.7', ...desktop };
  const linux = /^Linux (x86_64|aarch64|armv\w+)$/.exec(platform ?? '')?.[1];
  if (linux === undefined) return undefined;
  if (linux !== 'x86_64' && mobile) return { platform: 'Android', platformVersion: '10.0.0', architecture: '', bitness: '', model: 'K' };
  return { platform: 'Linux', platformVersion: '', ...desktop, ...(linux === 'x86_64' ? {} : { architecture: 'arm' }) };
}

function modelOf(text = ''): string {
  return text.replace(/\s+Build\/.*$/, '').trim();
}

/** `navigator.platform` of browsers on the user agent's operating system; undefined if it names none. */
export function platformOf(userAgent: string): string | undefined {
  const known: readonly (readonly [RegExp, string])[] = [
    [/\biPhone\b/, 'iPhone'],
    [/\biPad\b/, 'iPad'],
    [/\bAndroid\b/, 'Linux armv81'],
    [/\bWindows\b/, 'Win32'],
    [/\bMacintosh\b/, 'MacIntel'],
    [/\bLinux aarch64\b/, 'Linux aarch64'],
    [/\b(?:Linux|CrOS)\b/, 'Linux x86_64'],
  ];
  return known.find(([pattern]) => pattern.test(userAgent))?.[1];
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? version;
}

function padVersion(version: string): string {
  return [...version.split('.'), '0', '0', '0'].slice(0, 4).join('.');
}

function threeParts(version: string): string {
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.');
}
