import { PlatenError } from '../../errors.js';
import { readHost, readUrl, withoutUserinfo } from '../../egress/read-url.js';
import type { EgressEntry } from '../../egress/connection-log.js';

// Some kinds of Chromium failures differ only in their messages. Only this file parses them.

/** Maximum number of characters shown; names have at most 253 (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253;

/**
 * Temporary failures of a network, a name service or a host. Failures of the target itself (its certificate, a redirect loop) are
 * permanent.
 */
const MAY_GO_AWAY = new RegExp(
  `^net::ERR_(?:${[
    'CONNECTION_(?:REFUSED|RESET|CLOSED|ABORTED|FAILED|TIMED_OUT)',
    'TIMED_OUT|NETWORK_CHANGED|NETWORK_IO_SUSPENDED|INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|SOCKET_NOT_CONNECTED|INSUFFICIENT_RESOURCES',
    'NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_\\w+',
    'EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|(?:HTTP2|QUIC)_\\w+',
    '(?:TUNNEL|PROXY)_CONNECTION_FAILED',
  ].join('|')})$`,
);

/** Chromium's error names for destinations that Platen, or Chromium itself, refuses. */
const REFUSED = /BLOCKED_BY_CLIENT|ACCESS_DENIED|UNSAFE_REDIRECT|UNSAFE_PORT/;

/** Chromium's names for errors seen by Platen's proxy. */
const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ECONNRESET: 'net::ERR_CONNECTION_RESET',
  ETIMEDOUT: 'net::ERR_CONNECTION_TIMED_OUT',
  EHOSTUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
  EAFNOSUPPORT: 'net::ERR_ADDRESS_UNREACHABLE',
};

/** A document with a 4xx or 5xx status and no body: Chromium shows its own error page instead. */
export function isEmptyErrorAnswer(errorText: string): boolean {
  return errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';
}

/** The load was aborted, possibly by the page itself: not an error of the target. */
export function isCancelled(errorText: string): boolean {
  return errorText === 'net::ERR_ABORTED';
}

/** A redirect that was not followed may be the cause. */
export function mayBeRedirect(errorText: string): boolean {
  return isCancelled(errorText) || errorText === 'net::ERR_UNSAFE_REDIRECT';
}

/** The page navigated to another document while a call to the old one was pending. */
export function isContextLost(error: unknown): boolean {
  return (
    error instanceof Error && /Cannot find context|context was destroyed|navigated or closed|uniqueContextId not found/i.test(error.message)
  );
}

/** The renderer has committed the new document, but the browser process has not been notified yet. */
export function isNotYetActive(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Not attached to an active page');
}

/** Interception ended while a handler checked a request: the browser has continued it by itself. */
export function isNoLongerPaused(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Fetch domain is not enabled');
}

/** Details of a main document that failed to load. */
export interface NavigationFailure {
  /** URL after the last redirect. */
  readonly url: string;
  /** `Location` of the last response, if it was a redirect. */
  readonly location?: string | undefined;
  /** Chromium's error, `net::ERR_NAME_NOT_RESOLVED`. */
  readonly errorText: string;
  readonly isDownload: boolean;
  /** Of a download's response, if it was loaded over HTTP. */
  readonly status?: number | undefined;
  readonly entries: readonly EgressEntry[];
}

/** The error of a failed navigation. */
export function navigationError({ url, location = '', errorText, isDownload, status, entries }: NavigationFailure): PlatenError {
  const target = (netError: string) => ({ target: { url: withoutUserinfo(url), net_error: netError } });
  if (isDownload) {
    return new PlatenError('target_not_page', 'the target is a download, not a page: use "output_type=download" to fetch it', {
      target: { ...target(errorText).target, ...(status === undefined ? {} : { status }), download: true },
    });
  }
  if (isCancelled(errorText)) {
    // Chromium passes these schemes to other programs or refuses them, and reports an abort in both cases.
    const next = nextOf(url, location);
    if (!isFollowed(next)) return new PlatenError('target_blocked', redirectsTo(next), target('net::ERR_UNSAFE_REDIRECT'));
    return new PlatenError('target_not_page', 'the target responds without content: there is no page to render', target(errorText));
  }
  const netError = nameNetError({ url, errorText, entries });
  const last = entryOf(url, entries);
  if (last?.outcome === 'proxy') {
    const { reason = 'the proxy has failed', isFinal = false } = last;
    return new PlatenError('proxy_failed', reason, { ...target(netError), ...(isFinal && { retryable: false }) });
  }
  if (REFUSED.test(netError)) {
    const { outcome, reason = '' } = last ?? {};
    return new PlatenError(
      'target_blocked',
      blockedBecause({ url, next: nextOf(url, location), errorText, outcome, reason }),
      target(netError),
    );
  }
  // Browsers accept host names that are invalid.
  const host = readUrl(url) === undefined ? readHost(url)?.host : undefined;
  const isUntrusted = netError === 'net::ERR_CERT_AUTHORITY_INVALID';
  const untrusted = isUntrusted
    ? ': this server does not trust the certificate authority of the target (add private ones with --browser-ca-file)'
    : '';
  const why = host === undefined ? untrusted : `: ${JSON.stringify(host.slice(0, LONGEST_HOST))} is not a valid host name`;
  return new PlatenError('target_unreachable', `the target could not be reached: ${netError}${why}`, {
    ...target(netError),
    retryable: host === undefined && MAY_GO_AWAY.test(netError),
  });
}

/** Chromium's error name for a failed request. Behind Platen's proxy Chromium often cannot determine the cause, but the proxy can. */
export function nameNetError({ url, errorText, entries }: Pick<NavigationFailure, 'url' | 'errorText' | 'entries'>): string {
  const { outcome, reason = '' } = entryOf(url, entries) ?? {};
  // Chromium reports a refusal by the proxy as an empty response or a failed tunnel, which would blame the target.
  if (outcome === 'blocked') return 'net::ERR_BLOCKED_BY_CLIENT';
  if (outcome === 'proxy') return 'net::ERR_PROXY_CONNECTION_FAILED';
  if (REFUSED.test(errorText)) return errorText;
  return outcome === 'failed' || outcome === 'unresolved' ? (SOCKET_ERRORS[reason] ?? netErrorOf(outcome, errorText)) : errorText;
}

interface Blocked {
  readonly url: string;
  /** The redirect target; without a redirect the URL itself. */
  readonly next: string;
  readonly errorText: string;
  readonly outcome: EgressEntry['outcome'] | undefined;
  readonly reason: string;
}

/** Names the rule, limited to details the client may know: scheme, port, kind of address, a filter's reason. */
function blockedBecause({ url, next, errorText, outcome, reason }: Blocked): string {
  if (outcome === 'blocked' && reason === 'cloud metadata address')
    return 'the target is blocked by this server: its address is a link-local or cloud metadata address';
  if (outcome === 'blocked' && reason !== '') return `the target is blocked by this server: ${reason}`;
  const port = readUrl(url)?.port ?? '';
  if (errorText.includes('UNSAFE_PORT'))
    return `the target is blocked: browsers refuse to connect to port ${port}, which is reserved for a service other than HTTP`;
  if (!errorText.includes('UNSAFE_REDIRECT')) return 'the target is blocked by this server';
  return redirectsTo(next);
}

function nextOf(url: string, location: string): string {
  return readUrl(location, url)?.href ?? url;
}

/** Whether browsers follow a redirect to this URL. */
function isFollowed(url: string): boolean {
  return /^(?:https?|data):/i.test(url);
}

function redirectsTo(url: string): string {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0].toLowerCase() ?? 'http:';
  return `the target is blocked: it redirects to ${/^https?:$/.test(scheme) ? 'another scheme' : `"${scheme}"`}, and only http and https are followed`;
}

function netErrorOf(outcome: 'failed' | 'unresolved', errorText: string): string {
  if (outcome === 'unresolved') return 'net::ERR_NAME_NOT_RESOLVED';
  return errorText === 'net::ERR_TUNNEL_CONNECTION_FAILED' ? 'net::ERR_CONNECTION_FAILED' : errorText;
}

/** The proxy's last log entry for the URL's host and port. */
function entryOf(text: string, entries: readonly EgressEntry[]): EgressEntry | undefined {
  const asked = readHost(text);
  return asked && entries.findLast(({ host, port }) => host === asked.host && port === asked.port);
}

/** What to do where no sandbox can be made: the first costs nothing. */
const SANDBOX_CURES = [
  'In a container, run it with the seccomp profile shipped with Platen: --security-opt seccomp=seccomp.json (the image holds the file).',
  'On a host, allow user namespaces.',
  'If neither is possible: --browser-no-sandbox, with which a page that breaks out of its renderer has the rights of this process',
].join(' ');

/** Explains from the browser's output why it did not start. The cause's message, for the operator, has its last lines. */
export function launchError(printed: string, thrown: unknown): PlatenError {
  const last = printed.trim().split('\n').at(-1)?.trim().slice(-500) ?? '';
  const cause = last === '' ? thrown : new Error(last, { cause: thrown });
  const because = (text: string) => new PlatenError('browser_unavailable', text, { cause, retryable: true, retry_after: 5 });
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(printed)?.[1];
  if (library !== undefined) return because(`the browser does not start: the system lacks the shared library ${library}`);
  if (/No usable sandbox|move to new namespace|setuid sandbox|Operation not permitted|without --no-sandbox/i.test(printed)) {
    return because(`the browser does not start: this host provides no sandbox (user namespaces are not allowed). ${SANDBOX_CURES}`);
  }
  return because('the browser does not start; see the log');
}
