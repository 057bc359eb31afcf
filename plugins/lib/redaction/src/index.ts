export { type ByteRedactor, createRedaction, type Redaction, redactionKey } from './redaction.js';
