import type { UserAgentMetadata } from './client-hints.js';

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
