export { canonicalQuery } from './canonical-query.js';
export {
  SECRET_PATTERN,
  type SignatureFault,
  SIGNING_PARAMS,
  type SigningOptions,
  signQuery,
  signUrl,
  verifyQuery,
  type VerifyOptions,
} from './signature.js';
