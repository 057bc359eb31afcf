import { generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface TestKey {
  readonly publicKey: KeyObject;
  readonly pem: string;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function createKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey, pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), jwk: { ...privateKey.export({ format: 'jwk' }) } };
}

/** The text as a data: URL with percent signs, or in base64. */
export function toDataUrl(text: string, form: 'percent' | 'base64' = 'percent'): string {
  return form === 'percent'
    ? `data:application/x-pem-file,${encodeURIComponent(text)}`
    : `data:;base64,${Buffer.from(text).toString('base64')}`;
}
