export {
  canonicalQuery,
  SECRET_PATTERN,
  type SignatureFault,
  SIGNING_PARAMS,
  type SigningOptions,
  signQuery,
  signUrl,
  type VerifyOptions,
  verifyQuery,
} from './signature.js';
