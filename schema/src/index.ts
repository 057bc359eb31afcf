export type { Fragment, Fragments, InferFragment, InferParams, RenderParams, Rule, Source, Tier } from './fragment.js';
export { mergeSchema } from './merge.js';
export type { AbsentPart, MergeInput, OutputType, RequestDocument, RequestSchema, SchemaKey, SchemaPart } from './merge.js';
export { SchemaError } from './schema-error.js';
export { createFlagValidator, createValidator, ValidationError } from './validate.js';
export type { Issue } from './validate.js';
export { coerceQuery, coerceText } from './coerce.js';
export { nearest } from './nearest.js';
export type { JsonSchema } from './publish.js';
