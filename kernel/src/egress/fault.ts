import { codeOf } from './dialer.js';

export interface Fault {
  /** `malformed`: a server responded, and a retry would get the same response. */
  readonly reason: 'unreachable' | 'malformed';
  /** Clause that follows the colon of the error message. */
  readonly words: string;
}

/** Describes the error that ended an HTTP exchange. Node's network error codes are included, since readers search for them. */
export function describeFault(error: unknown, maxHeaderSize: number): Fault {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { reason: 'malformed', words: `its answer has more than ${String(maxHeaderSize / 1024)} KiB of header fields` };
  }
  if (code.startsWith('HPE_')) return { reason: 'malformed', words: 'its answer is no well-formed HTTP' };
  if (code === 'Z_BUF_ERROR') return { reason: 'malformed', words: 'its body ends too early for its "Content-Encoding"' };
  if (CODINGS.test(code)) return { reason: 'malformed', words: 'its body is not what its "Content-Encoding" says' };
  if (code === 'ECONNRESET') return { reason: 'unreachable', words: 'the connection broke off before the answer was whole' };
  if (code === 'ETIMEOUT') return { reason: 'unreachable', words: 'no name server answered for its name in time' };
  if (UNTRUSTED.has(code)) return { reason: 'unreachable', words: `${code} (--browser-ca-file names private certificate authorities)` };
  return { reason: 'unreachable', words: code };
}

/** OpenSSL's X509_V_ERR_* for a chain that does not end with a known authority. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Error codes of zlib, and of brotli, which appends its own names to "ERR_". */
const CODINGS = /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/;
