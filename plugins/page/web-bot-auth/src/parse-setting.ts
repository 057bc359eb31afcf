import type { KeyObject } from 'node:crypto';
import { splitDataUrl } from '@platen/kernel';
import { readPrivateKey } from './read-private-key.js';
import { WrongSetting } from './wrong-setting.js';

/** The signing agent, and its private key or the http(s) URL of that key. */
export interface Setting {
  /** An origin, `https://bot.example`, which publishes the public keys. */
  readonly agent: string;
  readonly key: KeyObject | URL;
}

/**
 * Parses `AGENT=KEY` (the interface specification, Target and browser). Throws `WrongSetting`, whose text continues after the name of the
 * parameter or flag and never quotes the key.
 */
export function parseSetting(text: string): Setting {
  const equals = text.indexOf('=');
  if (equals < 0) throw new WrongSetting('must have the form AGENT=KEY: an https:// origin, and a private key as a data: or http(s) URL');
  return { agent: parseAgent(text.slice(0, equals).trim()), key: parseKey(text.slice(equals + 1).trim()) };
}

function parseAgent(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.protocol === 'https:' && url.href === `${url.origin}/` && !/[?#]/.test(text);
  if (url === undefined || !isOrigin) {
    throw new WrongSetting('must begin with the AGENT, an https:// origin without user, path or query, as in https://bot.example=KEY');
  }
  return url.origin;
}

function parseKey(text: string): Setting['key'] {
  if (/^data:/i.test(text)) return readPrivateKey(readData(text));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new WrongSetting('must end with the KEY, a data:, http:// or https:// URL of an Ed25519 private key (PKCS#8 PEM or JWK)');
  }
  return url;
}

/** The content of a data: URL as text. */
function readData(url: string): string {
  const parts = splitDataUrl(url);
  if (parts === undefined) throw new WrongSetting('has a KEY that is not a valid data: URL: the comma before the data is missing');
  const data = decodePercent(parts.data);
  if (!parts.isBase64) return data;
  const compact = data.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new WrongSetting('has a KEY whose data: URL does not contain valid base64');
  return Buffer.from(compact, 'base64').toString('utf8');
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new WrongSetting('has a KEY whose data: URL contains an invalid percent escape', { cause });
  }
}
