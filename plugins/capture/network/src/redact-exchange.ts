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
