import type { EgressEntry, RenderContext } from '@platen/kernel';

const HEADER = 'X-Egress-Refused';
/** Limits the header: a page can request any number of hosts. */
const MAX_NAMED = 20;

/** Reports blocked hosts in a header; logs the bytes sent and received, and the reasons of blocked connections. */
export function reportRefusals({
  egress: { entries },
  setResponseHeader,
  log,
}: Pick<RenderContext, 'egress' | 'setResponseHeader' | 'log'>): void {
  const refused = entries.filter(({ outcome }) => outcome === 'blocked');
  const hosts = [...new Set(refused.map(nameDestination))];
  if (hosts.length > 0) setResponseHeader(HEADER, hosts.slice(0, MAX_NAMED).join(', ') + (hosts.length > MAX_NAMED ? ', ...' : ''));
  const fields = {
    hosts: new Set(entries.map(({ host }) => host)).size,
    bytes_in: sum(entries, ({ bytesIn }) => bytesIn),
    bytes_out: sum(entries, ({ bytesOut }) => bytesOut),
    ...(refused.length === 0
      ? {}
      : { refused: refused.slice(0, MAX_NAMED).map(({ host, port, address, reason }) => ({ host, port, address, reason })) }),
  };
  if (refused.length > 0) log.info(fields, 'connections of the page were blocked');
  else log.debug(fields, 'connections of the page');
}

/** As in a URL. The browser normalized the name, so it is valid in a header. */
function nameDestination({ host, port }: EgressEntry): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

function sum(entries: readonly EgressEntry[], of: (entry: EgressEntry) => number): number {
  return entries.reduce((total, entry) => total + of(entry), 0);
}
