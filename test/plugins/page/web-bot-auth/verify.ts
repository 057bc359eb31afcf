import { createHash, type KeyObject } from 'node:crypto';
import { createVerifier, httpbis } from 'http-message-signatures';
import { expect } from 'vitest';
import type { Site } from '../../../helpers/site.js';

type Received = Site['requests'][number];

export interface Signatory {
  readonly agent: string;
  readonly publicKey: KeyObject;
}

/** Judges one request as a site would, by a library of another house; resolves with its nonce, or throws what is wrong with it. */
export async function verifySigned({ method, url, headers }: Received, { agent, publicKey }: Signatory): Promise<string> {
  const { x } = publicKey.export({ format: 'jwk' });
  const keyid = createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${String(x)}"}`)
    .digest('base64url');
  let params: Record<string, unknown> = {};
  const verified = await httpbis.verifyMessage(
    {
      requiredFields: ['@authority', 'signature-agent'],
      requiredParams: ['created', 'expires', 'keyid', 'nonce', 'tag', 'alg'],
      keyLookup(found) {
        params = { ...found };
        return Promise.resolve({ id: keyid, algs: ['ed25519'], verify: createVerifier(publicKey, 'ed25519') });
      },
    },
    {
      method,
      url: `http://${headers.host ?? ''}${url}`,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    },
  );
  expect(verified, `signature of ${url}`).toBe(true);
  expect(params).toMatchObject({ keyid, tag: 'web-bot-auth' });
  // The newest form of the field is a dictionary, of which the signature covers its own member.
  expect(headers['signature-agent']).toBe(`sig1="${agent}"`);
  expect(headers['signature-input']).toContain('"signature-agent";key="sig1"');
  return String(params.nonce);
}
