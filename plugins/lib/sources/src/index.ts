/**
 * Describes and fetches sources, for plugins with lists from files and URLs. `nameSource` omits credentials and queries; `sourceError`
 * ends the server's start with the flag and the source. `loadRequestSource` loads a source that a request names.
 *
 * @packageDocumentation
 */

import { describeReadError, OutboundError, PlatenError, type Outbound, type OutboundOptions, type OutboundResponse } from '@platen/kernel';
import { nameSource } from './name-source.js';

export { isUrl, nameSource } from './name-source.js';
export { loadRequestSource, type RequestSource, type SourceOptions } from './request-source.js';

/** A source, and the flag that names it, without leading dashes. */
export interface NamedSource {
  readonly flag: string;
  readonly source: string;
}

/** The body of a response with status 200; rejects for any other status, and as `Outbound.fetch` does. */
export async function fetchSource(url: string, outbound: Pick<Outbound, 'fetch'>, limits: OutboundOptions): Promise<OutboundResponse> {
  const response = await outbound.fetch(url, { ...limits, wantsBody: (status) => status === 200 });
  if (response.status !== 200) throw new Error(`it responded with status ${String(response.status)}`);
  return response;
}

/** A source with invalid content. */
export function sourceError({ flag, source }: NamedSource, reason: string, cause?: unknown): PlatenError {
  return new PlatenError('boot_source_unavailable', `the source "${nameSource(source)}" of --${flag} is unavailable: ${reason}`, { cause });
}

/** A source that could not be read; the error says why. */
export function unreadableSourceError(named: NamedSource, error: unknown): PlatenError {
  return sourceError(named, why(error, nameSource(named.source)), error);
}

/** Does not repeat information that the name already contains. */
function why(error: unknown, name: string): string {
  if (error instanceof OutboundError) return error.message.replace(`${name} could not be fetched: `, '').replace(`${name} `, 'it ');
  if (error instanceof Error && 'code' in error) return error.code === 'ERR_INVALID_URL' ? 'it is not a URL' : describeReadError(error);
  return error instanceof Error ? error.message : String(error);
}
