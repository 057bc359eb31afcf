import { setTimeout } from 'node:timers/promises';
import { enableNetwork, type InterceptedRequest, type TargetTree } from '@platen/kernel';

/** The types of the protocol, by the names of the interface; all others are `other`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...(['Image', 'Media', 'Font', 'Stylesheet', 'Script', 'XHR', 'Fetch'] as const).map((type) => [type, type.toLowerCase()] as const),
  // Of `<video>`.
  ['TextTrack', 'media'],
]);

/** How long a paused request may precede its announcement. */
const ANNOUNCED_MS = 1000;

export type TypeReader = (request: InterceptedRequest) => string | Promise<string>;

/** The type of a request, by the names of the interface. */
export const readType: TypeReader = ({ resourceType }) => TYPES.get(resourceType) ?? 'other';

/** The same, with `fetch` apart from `xhr`: interception reports both as XHR, and only the announcement of the request names the right one. */
export function announcedTypes(targets: TargetTree): TypeReader {
  const known = new Map<string, string>();
  const waiting = new Map<string, (type: string) => void>();
  targets.configure((target) => {
    target.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (type !== 'XHR' && type !== 'Fetch') return;
      known.set(requestId, type.toLowerCase());
      waiting.get(requestId)?.(type.toLowerCase());
    });
    return target.kind === 'worklet' ? [] : [enableNetwork(target)];
  });
  return async (request) => {
    const { resourceType, networkId } = request;
    if (resourceType !== 'XHR' || networkId === undefined) return readType(request);
    const announced = new Promise<string>((resolve) => waiting.set(networkId, resolve));
    const type = known.get(networkId) ?? (await Promise.race([announced, setTimeout(ANNOUNCED_MS, 'xhr', { ref: false })]));
    waiting.delete(networkId);
    return type;
  };
}
