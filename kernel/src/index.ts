export {
  type AssetHead,
  type AssetStore,
  type CollectedAssets,
  type MissingAsset,
  NO_ASSETS,
  type PublishedAsset,
  type StoredAsset,
} from './assets/asset-store.js';
export { createAssetId, createMemoryStore } from './assets/memory-store.js';
export type * from './browser/emulation/contract.js';
export type * from './browser/page/contract.js';
export type * from './browser/pool/contract.js';
export type * from './browser/process/contract.js';
export type * from './browser/protocol/contract.js';
export { InterceptStage, MOST_FULFILLED_BYTES } from './browser/protocol/contract.js';
export type { EgressEntry } from './egress/connection-log.js';
export { DialError } from './egress/dial-error.js';
export type { ChooseUpstream, Departure, Upstream } from './egress/upstream.js';
export { enableNetwork } from './browser/protocol/enable-network.js';
export { ConcurrencyLimiter } from './browser/pool/concurrency-limiter.js';
export { fileIdentity } from './browser/process/running-executables.js';
export {
  findBrowsers,
  type FindOptions,
  type FoundBrowser,
  type FoundBrowsers,
  isExecutable,
  readVersion,
  readVersionAhead,
} from './browser/process/executable.js';
export { INSTALLATION } from './installation.js';
export { onceActive } from './browser/page/page-navigation.js';
export { nameNetError } from './browser/protocol/network-errors.js';
export { listFrames, openIsolatedFrameWorld } from './browser/page/frames.js';
export { type Clock, createClock, type FrozenTime } from './clock.js';
export { addSourceUrl, OWN_SCRIPT_URL } from './browser/protocol/inject-script.js';
export {
  contextKey,
  type ContextKey,
  paramKey,
  type ParamKey,
  readParam,
  replayedArchive,
  type EncodeContext,
  type BaseRenderContext,
  type PageWorker,
  type OpenState,
  type ReadLocalFile,
  type ResolveLocalPath,
  type Progress,
  type RenderState,
  type RenderContext,
  type Visit,
} from './context.js';
export { Changes } from './changes.js';
export { CORE_PARAMS, KERNEL_FLAGS, type CoreParams } from './core-params.js';
export { callOnAbort, limitSignal, LONGEST_TIMER_MS, reasonOf, type TimeLimit, untilAborted, withTimeout } from './deadline.js';
export { isRedirect, type Outbound, type OutboundOptions, outboundThrough, readRetryAfter } from './egress/outbound.js';
export { decodeDataUrl, splitDataUrl } from './data-url.js';
export { discoverPlugins, type DiscoveredPlugin, type DiscoveryOptions, PLUGIN_HOME } from './discovery.js';
export { declarationsOf, loadPlugins, type PluginLoad } from './load-plugins.js';
export { selectPlugins } from './select-plugins.js';
export {
  drainingError,
  ERRORS,
  invalidParameter,
  isPlatenError,
  isRetryable,
  PlatenError,
  type ErrorCode,
  type ErrorDetails,
  type ErrorOptions,
} from './errors.js';
export { attribute } from './plugin-hooks.js';
export { Stage, type NavigateResult, type PluginHooks, type Scope, type TapOnly, type TapOptions, type WaitResult } from './hooks.js';
export type { OutboundResponse, OutboundStream } from './egress/send-request.js';
export { OutboundError } from './egress/outbound-error.js';
export { createSelfListeners, type SelfListener, type SelfListeners } from './egress/self-listeners.js';
export { embeddedIPv4, type Destination, type AddressFilter, type HostFilter, type AllowRule } from './egress/policy.js';
export { CERTUTIL } from './browser/process/certificate-authorities.js';
export {
  describeReadError,
  isDiskFull,
  isMissing,
  openPrivateFolder,
  readGivenFile,
  type ReadOptions,
  readTextFile,
  TEMPORARY_DISK,
} from './local-files.js';
export { type HostAndPort, readHost, readUrl, withoutUserinfo, withScheme } from './egress/read-url.js';
export { coalesceRuns, createSerialQueue } from './run-serially.js';
export { isStalePartial, partialPath } from './partial-file.js';
export { matchesGlob } from './match-glob.js';
export type { ExplainedHook, ExplainedTap, Kernel, KernelOptions, RenderOptions, RenderResult, Timings } from './kernel-contract.js';
export { createKernel } from './kernel.js';
export { silentLogger, type Logger } from './logger.js';
export { beforeLateCapture, beforeTarget } from './navigate.js';
export { offlineOutbound, outboundOf } from './render-outbound.js';
export type {
  Asset,
  AssetCollector,
  AssetDeclaration,
  CaptureKinds,
  CaptureDeclaration,
  CaptureOptions,
  CaptureValue,
  EncodedOutput,
  MadeFile,
  MadeFiles,
  Output,
  OutputDeclaration,
} from './output.js';
export type { PlanDraft, RenderPlan, PlanView } from './render-plan.js';
export { readTarget } from './plan.js';
export {
  type CommandDeclaration,
  type CommandIo,
  definePlugin,
  KERNEL_VERSION,
  type LoadedPlugin,
  type OpenServer,
  type Plugin,
  type PluginApi,
  type PluginDefinition,
  type ServerApi,
} from './plugin.js';
export { readToolOutput, findTool, type FoundTool, type ToolCandidate, type ToolDeclaration } from './tools.js';
export { BODY_ONLY, BODY_OR_FILE, type Fragment, type Fragments, type InferParams, readDateTime, type Rule } from '@platen/schema';
