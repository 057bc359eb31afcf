import type { InterceptedRequest } from '@platen/kernel';
import type { Signer } from './create-signer.js';

/** Signs http and https requests. Replaces fields of the same names that a script or a parameter has set. */
export function signRequest({ url, headers }: Pick<InterceptedRequest, 'url' | 'headers'>, signer: Signer): undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const fields = signer(url);
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  for (const known of [...headers.keys()].filter((name) => names.has(name.toLowerCase()))) headers.delete(known);
  for (const [name, value] of fields) headers.set(name, value);
}
