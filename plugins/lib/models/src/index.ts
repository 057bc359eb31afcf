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
