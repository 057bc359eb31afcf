import { clientHints, platformOf, type UserAgentMetadata } from './client-hints.js';
import type { DeviceProfile } from './contract.js';

/** The running browser's own user agent. */
export interface OwnIdentity {
  readonly userAgent: string;
  readonly version: string;
}

/** Properties that identify a browser. */
export interface UserAgentProfile {
  readonly userAgent: string;
  /** `navigator.platform`; undefined: the machine's. */
  readonly platform: string | undefined;
  /** A plain list, `fr-CH,fr`. */
  readonly languages: string;
  /** The default locale of `Intl`; undefined: the browser's own. */
  readonly locale: string | undefined;
  readonly languageHeader: string;
  /** The header differs from the one that the browser derives from the list. */
  readonly ownLanguageHeader: boolean;
  /** Undefined for browsers that have none (Firefox, Safari). */
  readonly hints: UserAgentMetadata | undefined;
  /** False for the running browser's own user agent, which needs no overrides to be consistent. */
  readonly differs: boolean;
}

export const DEFAULT_LANGUAGES = 'en-US,en';

export function identityOf(profile: DeviceProfile, own: OwnIdentity): UserAgentProfile {
  const { userAgent, platform, acceptLanguage, mobile } = profile;
  const languages = acceptLanguage ?? DEFAULT_LANGUAGES;
  const made = languageHeader(languages);
  const header = profile.languageHeader ?? made;
  return {
    userAgent: userAgent ?? own.userAgent,
    platform: platform ?? (userAgent === undefined ? undefined : platformOf(userAgent)),
    languages,
    locale: acceptLanguage === undefined ? undefined : localeOf(acceptLanguage),
    languageHeader: header,
    ownLanguageHeader: header !== made,
    hints: clientHints({
      userAgent: userAgent ?? own.userAgent,
      ownVersion: userAgent === undefined ? own.version : undefined,
      mobile,
      saysMobile: profile.hintsMobile,
      platform: profile.hintsPlatform ?? (userAgent === undefined ? platform : undefined),
    }),
    differs: [userAgent, platform, acceptLanguage, profile.languageHeader].some((value) => value !== undefined),
  };
}

/** The first language of the list, if locale data exists for it. */
function localeOf(languages: string): string | undefined {
  const first = languages.split(',', 1)[0]?.trim() ?? '';
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(first)[0];
  } catch {
    // Not a well-formed language tag (BCP 47), though allowed in a header.
    return undefined;
  }
}

/** `fr-CH,fr` as browsers send it: `fr-CH,fr;q=0.9`. */
export function languageHeader(languages: string): string {
  return languages
    .split(',')
    .map((language, index) => (index === 0 ? language.trim() : `${language.trim()};q=${String(Math.max(10 - index, 1) / 10)}`))
    .join(',');
}

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * The header fields of a request that no protocol session covers, with this user agent instead of the browser's own: the browser itself
 * checks a service worker's script and its imports for updates.
 */
export function applyUserAgentWithoutSession(fields: Fields, identity: UserAgentProfile, own: Pick<OwnIdentity, 'userAgent'>): Fields {
  const [, userAgent] = fields.find(([name]) => name.toLowerCase() === 'user-agent') ?? [];
  if (!identity.differs || userAgent !== own.userAgent) return fields;
  const headers = new Map(fields);
  applyUserAgent(headers, identity);
  return [...headers];
}

/**
 * Applies the user agent to request headers in which the browser left its own: scripts of service workers and worklets have none, or the
 * real one; the first request of a popup without an opener has its real client hints. Names keep their spelling.
 */
export function applyUserAgent(headers: Map<string, string>, { userAgent, languageHeader: languages, hints }: UserAgentProfile): void {
  const spelling = (name: string): string => [...headers.keys()].find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
  headers.set(spelling('User-Agent'), userAgent);
  const language = spelling('Accept-Language');
  // Any other language was set by a script.
  if ([undefined, DEFAULT_LANGUAGES, languageHeader(DEFAULT_LANGUAGES)].includes(headers.get(language))) headers.set(language, languages);
  const right = hints && hintHeaders(hints);
  for (const name of [...headers.keys()].filter((key) => /^sec-ch-ua(?:$|-)/i.test(key))) {
    const value = right?.get(name.toLowerCase());
    if (!right) headers.delete(name);
    else if (value !== undefined) headers.set(name, value);
  }
}

/** The request headers of user-agent client hints, by lower-case name, as structured fields (RFC 8941). */
export function hintHeaders(hints: UserAgentMetadata): ReadonlyMap<string, string> {
  return new Map([
    ['sec-ch-ua', brandList(hints.brands)],
    ['sec-ch-ua-full-version-list', brandList(hints.fullVersionList)],
    ['sec-ch-ua-full-version', text(hints.fullVersionList?.find(({ brand }) => brand === 'Chromium')?.version)],
    ['sec-ch-ua-platform', text(hints.platform)],
    ['sec-ch-ua-platform-version', text(hints.platformVersion)],
    ['sec-ch-ua-arch', text(hints.architecture)],
    ['sec-ch-ua-bitness', text(hints.bitness)],
    ['sec-ch-ua-model', text(hints.model)],
    ['sec-ch-ua-mobile', truth(hints.mobile)],
    ['sec-ch-ua-wow64', truth(hints.wow64)],
    ['sec-ch-ua-form-factors', (hints.formFactors ?? []).map(text).join(', ')],
  ]);
}

function brandList(brands: UserAgentMetadata['brands'] = []): string {
  return brands.map(({ brand, version }) => `${text(brand)};v=${text(version)}`).join(', ');
}

function text(value = ''): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function truth(value = false): string {
  return value ? '?1' : '?0';
}
