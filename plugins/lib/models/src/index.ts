/**
 * Sends requests to language models: for plugins that use one (`modelsOf(api).open(...).ask(...)`) and plugins that add a provider
 * (`registerWire`).
 *
 * `open` parses a connection string and sends nothing. A model that a request names may not be a local program, and its host is subject to
 * the egress rules. `ask` retries up to three times after 408, 429, 5xx and lost connections, reads JSON out of any answer, validates it
 * in a worker thread, and sends an answer that does not fit back once. The text of a provider's error is logged without the key. Declare
 * `requires: ['models']`, so that `platen doctor` checks startup models.
 *
 * A wire is data and pure functions: see `wire.ts`. `@platen/lib-models/testing` has its contract suite (`modelContract`,
 * `scriptProvider`).
 *
 * Limits: `format` in schemas is not checked; tools are not executed; `google` unrolls recursive schemas to a limited depth.
 *
 * @packageDocumentation
 */

export { askForRender, checkModel } from './ask-for-render.js';
export {
  countAt,
  errorTextAt,
  type HttpWire,
  isLocal,
  isObject,
  listAt,
  type LocalWire,
  memberAt,
  messageTextAt,
  ModelFailure,
  type SchemaRules,
  textAt,
  type Wire,
  type WireCall,
  type WireReply,
} from './wire.js';
export { addUsage, mediaTypeOf, NO_USAGE, type JsonSchema, type Message, type ModelRequest, type Part, type Usage } from './message.js';
export type { Answer, AskOptions, Model } from './model.js';
export { modelsOf, type ConnectionOrigin, type Models } from './models.js';
export { registerWire, registryOf, type StartupModel, type WireHost } from './registry.js';
export { checkSchema, describeExcess, formatOf, type AnswerFormat } from './structured.js';
