export type { AssetHead, AssetStore, PublishedAsset, StoredAsset } from './assets/asset-store.js';
export { type CollectedAssets, type MissingAsset, NO_ASSETS } from './assets/render-asset-store.js';
export { createAssetId, createMemoryStore } from './assets/memory-store.js';
export type * from './browser/contract.js';
export { InterceptStage } from './browser/contract.js';
export { enableNetwork } from './browser/enable-network.js';
export { fileIdentity } from './browser/running-executables.js';
export { findBrowsers, readVersion, type FindOptions, type FoundBrowser, type FoundBrowsers } from './browser/executable.js';
export { onceActive } from './browser/page-navigation.js';
export { nameNetError } from './browser/network-errors.js';
export { listFrames, openIsolatedFrameWorld, type IsolatedFrameWorld } from './browser/isolated-frame-world.js';
export { addSourceUrl, OWN_SCRIPT_URL } from './browser/own-script.js';
export { contextKey, type ContextKey, type EncodeContext, type BaseRenderContext, type RenderContext } from './context.js';
export { CORE_PARAMS, KERNEL_FLAGS, type CoreParams } from './core-params.js';
export { untilAborted } from './deadline.js';
export { discoverPlugins, selectPlugins, type DiscoveredPlugin, type DiscoveryOptions } from './discovery.js';
export { loadPlugins, type PluginLoad } from './load-plugins.js';
export {
  ERRORS,
  invalidParameter,
  isPlatenError,
  isRetryable,
  PlatenError,
  type ErrorCode,
  type ErrorDetails,
  type ErrorOptions,
} from './errors.js';
export { Stage, type NavigateResult, type PluginHooks, type Scope, type TapOnly, type TapOptions, type WaitResult } from './hooks.js';
export type { OutboundResponse } from './egress/send-request.js';
export { OutboundError } from './egress/outbound-error.js';
export type { SelfListener } from './egress/self-listeners.js';
export type { Outbound, OutboundOptions } from './egress/outbound.js';
export { embeddedIPv4, type Destination, type AddressFilter, type HostFilter, type AllowRule } from './egress/policy.js';
export { CERTUTIL } from './browser/certificate-authorities.js';
export { describeReadError } from './describe-read-error.js';
export { readHost, readUrl, withScheme } from './read-url.js';
export { coalesceRuns } from './coalesce-runs.js';
export { readGivenFile, readTextFile, type ReadOptions } from './read-text-file.js';
export { isStalePartial, partialPath } from './partial-file.js';
export { isExecutable } from './is-executable.js';
export type { Kernel, KernelOptions, LoadedPlugin, RenderOptions, RenderResult, Timings } from './kernel-contract.js';
export { createKernel } from './kernel.js';
export { silentLogger, type Logger } from './logger.js';
export { openPrivateFolder } from './open-private-folder.js';
export type {
  Asset,
  AssetCollector,
  AssetDeclaration,
  CaptureKinds,
  CaptureOptions,
  CaptureValue,
  Output,
  OutputDeclaration,
} from './output.js';
export type { PlanDraft, RenderPlan, PlanView } from './plan.js';
export {
  definePlugin,
  type CaptureDeclaration,
  type CommandDeclaration,
  type CommandIo,
  type Plugin,
  type PluginApi,
  type PluginDefinition,
  type ServerApi,
} from './plugin.js';
export { readToolOutput, findTool, type FoundTool, type ToolCandidate, type ToolDeclaration } from './tools.js';
export type { Fragment, Fragments, InferParams, Rule } from '@platen/schema';
export { KERNEL_VERSION } from './version.js';
