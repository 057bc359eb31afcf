import { withoutUserinfo } from '@platen/kernel';
import type { Redaction } from '@platen/lib-redaction';
import type { Exchange, PageNavigationRecord } from './exchange.js';

/** Bodies and messages were redacted when they were stored. */
export function redactExchange(exchange: Exchange, { text, value }: Redaction): Exchange {
  const { request, response, initiator } = exchange;
  return {
    ...exchange,
    initiator: value(initiator),
    request: { ...request, url: text(request.url), headers: value(request.headers) },
    response: response && {
      ...response,
      ...value({ statusText: response.statusText, headers: response.headers, redirectUrl: response.redirectUrl }),
    },
  };
}

export function redactVisit(visit: PageNavigationRecord, redaction: Redaction | undefined): PageNavigationRecord {
  return redaction === undefined ? visit : { ...visit, url: redaction.text(visit.url), title: redaction.text(visit.title) };
}

const LONGEST_DATA_URL = 256;

/** Removes the userinfo of every URL in a protocol object. Documents that are `data:` URLs would otherwise be repeated as a whole each time. */
export function redactUrls<T>(value: T): T {
  const redact = (inner: unknown): unknown => {
    if (typeof inner === 'string') return withoutUserinfo(shorten(inner));
    if (Array.isArray(inner)) return inner.map(redact);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, redact(member)]));
  };
  // Of the same shape: strings stay strings.
  return redact(value) as T;
}

function shorten(text: string): string {
  return text.startsWith('data:') && text.length > LONGEST_DATA_URL ? `${text.slice(0, LONGEST_DATA_URL)}…` : text;
}
