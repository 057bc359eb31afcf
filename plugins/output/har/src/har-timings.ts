import type { Exchange } from '@platen/plugin-network';

type Phases = Readonly<Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>>;

/** Milliseconds by phase (HAR 1.2, timings): -1 if the phase did not occur. `ssl` is part of `connect`. */
export function harTimings({ timing, response }: Exchange): Phases {
  const { phases, started, finished } = timing;
  if (!phases) {
    const total = Math.max(0, (finished ?? started) - started);
    // Nothing was sent: the request failed while it waited, or came from a cache.
    const [blocked, receive] = response ? [-1, total] : [total, 0];
    return { blocked: round(blocked), dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: round(receive) };
  }
  const span = (start: number, end: number) => (start < 0 || end < 0 ? -1 : round(Math.max(0, end - start)));
  const headersEnd = phases.requestTime * 1000 + phases.receiveHeadersEnd;
  return {
    blocked: round([phases.dnsStart, phases.connectStart, phases.sendStart].find((moment) => moment >= 0) ?? -1),
    dns: span(phases.dnsStart, phases.dnsEnd),
    connect: span(phases.connectStart, phases.connectEnd),
    ssl: span(phases.sslStart, phases.sslEnd),
    send: Math.max(0, span(phases.sendStart, phases.sendEnd)),
    wait: Math.max(0, span(phases.sendEnd, phases.receiveHeadersEnd)),
    receive: finished === undefined ? 0 : round(Math.max(0, finished - headersEnd)),
  };
}

/** All phases; `ssl` is already included in `connect`. */
export function harTime({ blocked, dns, connect, send, wait, receive }: Phases): number {
  return round([blocked, dns, connect, send, wait, receive].reduce((sum, part) => sum + Math.max(0, part), 0));
}

/** When the network was first used: time spent in earlier queues is not part of the phases. */
export function harStart({ timing: { wallStart, started, phases } }: Exchange): string {
  const queued = phases === undefined ? 0 : Math.max(0, phases.requestTime * 1000 - started);
  return new Date(wallStart.getTime() + queued).toISOString();
}

/** Microseconds. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
