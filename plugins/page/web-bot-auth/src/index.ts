import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  definePlugin,
  type Fragment,
  type Fragments,
  type InterceptedRequest,
  InterceptStage,
  invalidParameter,
  PlatenError,
} from '@platen/kernel';
import { createKeyStore } from './key-store.js';
import { parseSetting } from './parse-setting.js';
import { WrongSetting } from './wrong-setting.js';
import { publicCoordinate } from './read-private-key.js';

/** The signature's label within its fields. */
const LABEL = 'sig1';

/** Covered components (RFC 9421, 2): the receiving host and the signing agent. */
const COMPONENTS = `("@authority" "signature-agent";key="${LABEL}")`;

/** Seconds. Long enough for clock differences, short enough that an intercepted signature is soon useless. */
const LIFETIME = 300;

const NONCE_BYTES = 64;

const SETTING = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  'x-secret': true,
} as const satisfies Fragment;
const FORM = 'AGENT=KEY: AGENT an https:// origin, KEY an Ed25519 private key (PKCS#8 PEM or JWK) as a data: URI or an http(s) URL.';
const PARAMS = {
  web_bot_auth: {
    ...SETTING,
    description: `Signing identity and key for every request of the render (Web Bot Auth), given as ${FORM} Overrides the server's setting.`,
    examples: ['https://bot.example=https://keys.example/private.jwk'],
  },
} as const satisfies Fragments;
const FLAGS = {
  'web-bot-auth': {
    ...SETTING,
    description: `Default signing identity and key for renders without web_bot_auth, given as ${FORM}`,
  },
} as const satisfies Fragments;

const NAME = 'web-bot-auth';

/** Signs every request of a page and its subresources, so that sites can identify the bot. */
export default definePlugin({
  name: NAME,
  params: PARAMS,
  flags: FLAGS,
  planFor: { param: 'web_bot_auth' },
  plan({ params: { web_bot_auth: text = '' } }) {
    try {
      parseSetting(text);
    } catch (error) {
      throw faultOfRequest(error);
    }
  },
  apply({ hooks, options: { 'web-bot-auth': flag }, outbound }) {
    const setByServer = flag === undefined ? undefined : parseFlag(flag);
    const keys = createKeyStore(outbound);
    const scope = setByServer === undefined ? { param: 'web_bot_auth' } : undefined;
    hooks.beforeNavigate.tapPromise({ name: NAME, for: scope }, async ({ params: { web_bot_auth: text }, intercept }) => {
      const setting = text === undefined ? setByServer : parseSetting(text);
      if (setting === undefined) return;
      const { agent, key } = setting;
      const toError = text === undefined ? faultOfServer : faultOfRequest;
      const signer = createSigner(agent, key instanceof URL ? await keys.load(key).catch(throwAs(toError)) : key);
      intercept.use({ name: NAME, stage: InterceptStage.sign, request: (request) => signRequest(request, signer) });
    });
    return keys;
  },
  async prepare({ options: { 'web-bot-auth': flag } }, keys) {
    const key = flag === undefined ? undefined : parseSetting(flag).key;
    if (key instanceof URL) await keys.load(key).catch(throwAs(faultOfFlag));
  },
});

function parseFlag(text: string) {
  try {
    return parseSetting(text);
  } catch (error) {
    throw faultOfFlag(error);
  }
}

function faultOfFlag(error: unknown): unknown {
  return error instanceof WrongSetting ? new PlatenError('boot_invalid_flag', `--web-bot-auth ${error.message}`, { cause: error }) : error;
}

function faultOfRequest(error: unknown): unknown {
  return error instanceof WrongSetting ? invalidParameter('web_bot_auth', `"web_bot_auth" ${error.message}`) : error;
}

/** The client cannot fix a wrong server setting, so the details are logged. */
function faultOfServer(error: unknown): unknown {
  return error instanceof WrongSetting ? new PlatenError('plugin_failed', `--web-bot-auth ${error.message}`, { cause: error }) : error;
}

function throwAs(toError: (error: unknown) => unknown): (error: unknown) => never {
  return (error) => {
    throw toError(error);
  };
}

/** Signs http and https requests. Replaces fields of the same names that a script or a parameter has set. */
function signRequest({ url, headers }: Pick<InterceptedRequest, 'url' | 'headers'>, signer: Signer): undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const fields = signer(url);
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  for (const known of [...headers.keys()].filter((name) => names.has(name.toLowerCase()))) headers.delete(known);
  for (const [name, value] of fields) headers.set(name, value);
}

/** Creates the header fields that identify the bot; each call returns a new signature. */
type Signer = (url: URL) => readonly (readonly [name: string, value: string])[];

/** HTTP Message Signatures (RFC 9421) with Ed25519 and the tag of draft-meunier-web-bot-auth-architecture. */
function createSigner(agent: string, key: KeyObject): Signer {
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
