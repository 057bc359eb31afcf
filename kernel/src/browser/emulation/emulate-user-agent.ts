import type { TargetKind, TargetSession } from '../protocol/contract.js';
import { enableNetwork } from '../protocol/enable-network.js';
import type { UserAgentProfile } from './user-agent-profile.js';

const WORKERS: readonly TargetKind[] = ['worker', 'shared_worker', 'service_worker'];

/** Applies the user agent profile to a target: `navigator`, and the headers of its requests. */
export function emulateUserAgent(identity: UserAgentProfile, target: TargetSession): readonly Promise<unknown>[] {
  const headers = sendHeaders(identity, target);
  if (target.kind === 'worklet') return headers;
  const { userAgent, languages, locale, ownLanguageHeader, platform, hints } = identity;
  return [
    target.send('Emulation.setUserAgentOverride', {
      userAgent,
      // If given, it takes precedence over any other header.
      ...(ownLanguageHeader ? {} : { acceptLanguage: languages }),
      ...(platform === undefined ? {} : { platform }),
      ...(hints === undefined ? {} : { userAgentMetadata: hints }),
    }),
    // One locale override applies to a whole process: for a second target of that process it is refused, and not needed.
    ...(locale === undefined ? [] : [target.send('Emulation.setLocaleOverride', { locale })]),
    ...sendShim(identity, target),
    ...headers,
  ];
}

/** Covers the gaps of the override: `navigator` in workers, the presence of client hints, and languages without an override. */
function sendShim(identity: UserAgentProfile, target: TargetSession): readonly Promise<unknown>[] {
  const { differs, userAgent, platform, languages, ownLanguageHeader, hints } = identity;
  const values = {
    ...(differs && WORKERS.includes(target.kind) ? { userAgent, appVersion: userAgent.replace(/^Mozilla\//, '') } : {}),
    ...(platform !== undefined && WORKERS.includes(target.kind) ? { platform } : {}),
    ...(ownLanguageHeader ? { language: languages.split(',', 1)[0] ?? '', languages: languages.split(',') } : {}),
  };
  if (Object.keys(values).length === 0 && hints !== undefined) return [];
  return target.inject(navigatorShim({ values, withoutHints: hints === undefined }));
}

/**
 * Headers that the override does not change. The main script of a nested worker is requested by its parent worker, the main script of a
 * worklet by the worklet itself; the override covers neither. The override also assigns its own weights to the languages.
 */
function sendHeaders({ differs, ownLanguageHeader, ...identity }: UserAgentProfile, target: TargetSession): readonly Promise<unknown>[] {
  const requestsScripts = target.kind === 'worker' || target.kind === 'worklet';
  const headers = {
    ...(differs && requestsScripts ? { 'User-Agent': identity.userAgent } : {}),
    ...(ownLanguageHeader || (differs && requestsScripts) ? { 'Accept-Language': identity.languageHeader } : {}),
  };
  if (Object.keys(headers).length === 0) return [];
  return [enableNetwork(target), target.send('Network.setExtraHTTPHeaders', { headers })];
}

/** `navigator` properties that no protocol command can override. */
interface NavigatorShim {
  /** By attribute; attributes that the scope lacks stay absent. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /** The browser has no user-agent data: neither the attribute nor its interface object is there. */
  readonly withoutHints: boolean;
}

/**
 * Source text that overrides `navigator` in a document or worker. It runs while the target is paused (waitForDebuggerOnStart). To scripts
 * the getters still look like native functions, and they still throw on foreign receivers.
 */
function navigatorShim(shim: NavigatorShim): string {
  return `(${install.toString()})(${JSON.stringify(shim)})`;
}

function install({ values, withoutHints }: NavigatorShim): void {
  const prototype = Object.getPrototypeOf(navigator) as object; // typed `any` by its library
  for (const [key, value] of Object.entries(values)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
    if (!descriptor?.get) continue;
    if (Array.isArray(value)) Object.freeze(value);
    const get = new Proxy(descriptor.get, {
      apply(target, receiver, given) {
        Reflect.apply(target, receiver, given);
        return value;
      },
    });
    Object.defineProperty(prototype, key, { ...descriptor, get });
  }
  if (!withoutHints) return;
  Reflect.deleteProperty(prototype, 'userAgentData');
  Reflect.deleteProperty(globalThis, 'NavigatorUAData');
}
