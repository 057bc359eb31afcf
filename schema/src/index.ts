export {
  BODY_ONLY,
  BODY_OR_FILE,
  type Fragment,
  type Fragments,
  type InferFragment,
  type InferParams,
  type RenderParams,
  type Rule,
  searchTermsOf,
  type Source,
  takesList,
  takesObjects,
  type Tier,
} from './fragment.js';
export { type MergeInput, mergeSchema } from './merge.js';
export type { MissingPart, OutputType, RequestDocument, RequestSchema, SchemaKey, SchemaPart } from './request-schema.js';
export { SchemaError } from './compile.js';
export { checkFlags, createFlagValidator, createValidator, type Issue, mayGive, ValidationError } from './validate.js';
export { coerceQuery, coerceText, parseQuery, type QueryPair } from './coerce.js';
export { readDateTime } from './date-time.js';
export { explainMissing } from './explain.js';
export { findDefinitionFault } from './definition.js';
export { nearest, suggest } from './nearest.js';
export { groupKeys, type KeyGroup } from './sections.js';
export type { JsonSchema } from './publish.js';
export { MAX_DEPTH, namePath } from './immutable-json.js';
