export { canonicalQuery } from './canonical-query.js';
export { SECRET_PATTERN } from './secret.js';
export { signQuery, signUrl, SIGNING_PARAMS, type SigningOptions } from './sign.js';
export { verifyQuery, type SignatureFault, type VerifyOptions } from './verify.js';
