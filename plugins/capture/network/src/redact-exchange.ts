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

export function redactVisit(visit: PageNavigationRecord, { text }: Redaction): PageNavigationRecord {
  return { ...visit, url: text(visit.url), title: text(visit.title) };
}
