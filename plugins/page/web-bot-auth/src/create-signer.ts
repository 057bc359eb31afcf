import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { publicCoordinate } from './read-private-key.js';

/** Creates the header fields that identify the bot; each call returns a new signature. */
export type Signer = (url: URL) => readonly (readonly [name: string, value: string])[];

/** The signature's label within its fields. */
const LABEL = 'sig1';

/** Covered components (RFC 9421, 2): the receiving host and the signing agent. */
const COMPONENTS = `("@authority" "signature-agent";key="${LABEL}")`;

/** Seconds. Long enough for clock differences, short enough that an intercepted signature is soon useless. */
const LIFETIME = 300;

const NONCE_BYTES = 64;

/** HTTP Message Signatures (RFC 9421) with Ed25519 and the tag of draft-meunier-web-bot-auth-architecture. */
export function createSigner(agent: string, key: KeyObject): Signer {
  const keyId = thumbprint(publicCoordinate(key));
  return ({ host }) => {
    const created = Math.floor(Date.now() / 1000);
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const times = `created=${String(created)};keyid="${keyId}";alg="ed25519";expires=${String(created + LIFETIME)}`;
    const params = `${COMPONENTS};${times};nonce="${nonce}";tag="web-bot-auth"`;
    // The URL parser formats host and port as RFC 9421, 2.2.3 requires: lower case, without default port.
    const base = [`"@authority": ${host}`, `"signature-agent";key="${LABEL}": "${agent}"`, `"@signature-params": ${params}`].join('\n');
    const signature = sign(null, Buffer.from(base), key).toString('base64');
    return [
      ['Signature-Agent', `${LABEL}="${agent}"`],
      ['Signature-Input', `${LABEL}=${params}`],
      ['Signature', `${LABEL}=:${signature}:`],
    ];
  };
}

/** RFC 7638 with the members of RFC 8037, 2. */
function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}
