import { describe, expect, test } from 'vitest';
import { launchError, navigationError } from '../../../../kernel/src/browser/protocol/network-errors.js';

const failed = (errorText: string) => navigationError({ url: 'https://a.test/', errorText, isDownload: false, entries: [] });

describe('target_unreachable is retryable', () => {
  test.each([
    ...['CONNECTION_REFUSED', 'CONNECTION_RESET', 'CONNECTION_TIMED_OUT', 'TIMED_OUT', 'NAME_NOT_RESOLVED', 'DNS_TIMED_OUT'],
    ...['NETWORK_CHANGED', 'ADDRESS_UNREACHABLE', 'EMPTY_RESPONSE', 'HTTP2_PROTOCOL_ERROR'],
  ])('where it may go away: %s', (name) => {
    expect(failed(`net::ERR_${name}`)).toMatchObject({ code: 'target_unreachable', details: { retryable: true } });
  });

  test.each([
    ...['INVALID_URL', 'CERT_DATE_INVALID', 'CERT_AUTHORITY_INVALID', 'SSL_PROTOCOL_ERROR', 'SSL_VERSION_OR_CIPHER_MISMATCH'],
    ...['TOO_MANY_REDIRECTS', 'INVALID_RESPONSE', 'RESPONSE_HEADERS_TOO_BIG'],
  ])('and not where it lies at the target itself: %s', (name) => {
    expect(failed(`net::ERR_${name}`)).toMatchObject({ code: 'target_unreachable', details: { retryable: false } });
  });
});

test('a port that browsers do not connect to is refused in plain words', () => {
  expect(navigationError({ url: 'http://a.test:6000/', errorText: 'net::ERR_UNSAFE_PORT', isDownload: false, entries: [] })).toMatchObject({
    code: 'target_blocked',
    message: 'the target is blocked: browsers refuse to connect to port 6000, which is reserved for a service other than HTTP',
  });
});

test('a host that browsers alone take for one is named, and is found in the record of connections', () => {
  const entries = [
    { host: 'my%20site.example', port: 8080, address: undefined, outcome: 'unresolved', reason: 'ENOTFOUND', bytesIn: 0, bytesOut: 0 },
  ] as const;
  const url = 'http://user:secret@my%20site.example:8080/a';
  const error = navigationError({ url, errorText: 'net::ERR_EMPTY_RESPONSE', isDownload: false, entries });
  expect(error).toMatchObject({
    code: 'target_unreachable',
    message: 'the target could not be reached: net::ERR_NAME_NOT_RESOLVED: "my%20site.example" is not a valid host name',
    details: { retryable: false, target: { url: 'http://my%20site.example:8080/a' } },
  });
});

test('without user namespaces the shipped seccomp profile is named first, and what the sandbox is for', () => {
  const { code, message } = launchError('[1:1] FATAL: No usable sandbox! If you want to live dangerously', new Error('exit 1'));
  expect(code).toBe('browser_unavailable');
  expect(message).toMatch(
    /user namespaces are not allowed.*--security-opt seccomp=seccomp\.json.*--browser-no-sandbox, with which a page .* has the rights of this process$/,
  );
});
