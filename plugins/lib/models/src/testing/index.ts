export { modelContract, type ModelContractSubject } from './model-contract.js';
export {
  scriptProvider,
  writeStep,
  type Dialect,
  type ReceivedRequest,
  type ScriptedAnswer,
  type ScriptedProvider,
  type ScriptedResponse,
  type SeenRequest,
  type Step,
} from './scripted.js';
