export { createServer, type Server, type ServerOptions } from './http/create-server.js';
export type { AnswerDescription, ApiDescription, EndpointDescription } from './service/api-description.js';
export type {
  AdmittedCall,
  InterceptableRender,
  AuthorizeRequest,
  Authorized,
  Commit,
  Deferred,
  DeferrableCall,
  FlagValues,
  Preconditions,
  StoredValidators,
  RenderResponse,
  ReadDigests,
  ReportFinding,
  RenderCall,
  ServerHooks,
} from './service/hooks.js';
export type { RoutedContext, RouteContext, Router } from './service/router.js';
export type { Problem } from './service/problem.js';
export type { AdblockReport, ClusterReport, ModelReport } from './service/status-report.js';
export type { RequestRecord } from './service/record.js';
export type {
  AssetStoreOptions,
  BodyHandle,
  ResultPart,
  ResultRecord,
  ResultStore,
  ResultStoreOptions,
  ServerAssetStore,
  StoredResult,
} from './service/stores.js';
export type { PluginRender, PluginRenderRequest } from './service/render-for-plugins.js';
export type { ServerAssets } from './service/server-api.js';
