import type { Fragment, Fragments } from '@platen/kernel';

const SETTING = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
} as const satisfies Fragment;

const FORM = 'AGENT=KEY: AGENT an https:// origin, KEY an Ed25519 private key (PKCS#8 PEM or JWK) as a data: URI or an http(s) URL.';

export const PARAMS = {
  web_bot_auth: {
    ...SETTING,
    description: `Sign every request with a bot-authentication signature, given as ${FORM} Replaces the server's own setting.`,
    examples: ['https://bot.example=https://keys.example/private.jwk'],
  },
} as const satisfies Fragments;

export const FLAGS = {
  'web-bot-auth': {
    ...SETTING,
    description: `Sign every request of every render, unless it says otherwise itself, given as ${FORM}`,
    'x-secret': true,
  },
} as const satisfies Fragments;
