export { createRedaction, type Redaction, redactionKey } from './redaction.js';
export { type ByteRedactor } from './redact-bytes.js';
