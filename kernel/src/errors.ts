import type { CollectedAssets } from './assets/asset-store.js';
import type { BrowserRequirements } from './browser/process/contract.js';
import type { Asset } from './output.js';

/**
 * All errors that Platen can return. The code is the stable name in responses and metrics; the status is the HTTP status (boot errors never
 * reach HTTP: they abort the startup with their code).
 */
export const ERRORS = {
  invalid_parameters: { status: 400, title: 'Invalid parameters' },
  malformed_request: { status: 400, title: 'Malformed request' },
  unauthorized: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Forbidden' },
  origin_refused: { status: 403, title: 'Request of another origin refused' },
  robots_disallowed: { status: 403, title: 'Disallowed by robots.txt' },
  target_blocked: { status: 403, title: 'Target blocked' },
  license_required: { status: 403, title: 'License required' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'Request timeout' },
  gone: { status: 410, title: 'Gone' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  expectation_failed: { status: 417, title: 'Expectation failed' },
  selector_not_found: { status: 422, title: 'Selector matched nothing' },
  selector_empty: { status: 422, title: 'Selected element is empty' },
  selection_empty: { status: 422, title: 'Nothing to capture' },
  page_unreadable: { status: 422, title: 'Page cannot be read' },
  page_unstable: { status: 422, title: 'Page does not stay on one document' },
  capture_too_large: { status: 422, title: 'Capture too large' },
  page_too_heavy: { status: 422, title: 'Page too heavy' },
  not_a_download: { status: 422, title: 'Target is not a download' },
  download_too_large: { status: 422, title: 'Download too large' },
  not_in_archive: { status: 422, title: 'Not in the archive' },
  picture_differs: { status: 422, title: 'Picture differs' },
  goal_not_reached: { status: 422, title: 'Goal not reached' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Request header fields too large' },
  client_closed: { status: 499, title: 'Client closed the request' },
  print_failed: { status: 500, title: 'PDF generation failed' },
  encode_failed: { status: 500, title: 'Encoding failed' },
  plugin_failed: { status: 500, title: 'Plugin error' },
  internal: { status: 500, title: 'Internal server error' },
  feature_unavailable: { status: 501, title: 'Feature unavailable on this host' },
  target_status: { status: 502, title: 'Target returned an error status' },
  target_unreachable: { status: 502, title: 'Target unreachable' },
  proxy_failed: { status: 502, title: 'Proxy failed' },
  target_not_page: { status: 502, title: 'Target is not a page' },
  page_crashed: { status: 502, title: 'The page crashed' },
  llm_upstream: { status: 502, title: 'Language model unavailable' },
  llm_output_invalid: { status: 502, title: 'Invalid answer of the language model' },
  step_failed: { status: 422, title: 'Step failed' },
  script_failed: { status: 422, title: 'Injected JavaScript failed' },
  browser_unavailable: { status: 503, title: 'Browser unavailable' },
  browser_lost: { status: 503, title: 'Browser lost' },
  overloaded: { status: 503, title: 'Server overloaded' },
  draining: { status: 503, title: 'Shutting down' },
  render_timeout: { status: 504, title: 'Render timed out' },

  boot_unknown_plugin: { status: 500, title: 'Unknown plugin' },
  boot_duplicate_plugin: { status: 500, title: 'Duplicate plugin name' },
  boot_duplicate_key: { status: 500, title: 'Duplicate parameter key' },
  boot_duplicate_capture: { status: 500, title: 'Duplicate capture kind' },
  boot_duplicate_output: { status: 500, title: 'Duplicate output type' },
  boot_missing_requirement: { status: 500, title: 'Missing plugin dependency' },
  boot_requirement_cycle: { status: 500, title: 'Circular plugin dependency' },
  boot_kernel_range: { status: 500, title: 'Incompatible kernel version' },
  boot_missing_capture: { status: 500, title: 'Output without capture' },
  boot_missing_encode: { status: 500, title: 'Output without encoder' },
  boot_invalid_fragment: { status: 500, title: 'Invalid schema fragment' },
  boot_invalid_plugin: { status: 500, title: 'Invalid plugin' },
  boot_source_unavailable: { status: 500, title: 'Source unavailable' },
  boot_invalid_flag: { status: 500, title: 'Invalid flag' },
  boot_license_required: { status: 500, title: 'License required' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'too_many_requests',
  'page_crashed',
  'target_unreachable',
  'proxy_failed',
  'llm_upstream',
  'browser_unavailable',
  'browser_lost',
  'overloaded',
  'draining',
  'render_timeout',
]);

/** Whether the same request may succeed later, unless the error itself overrides it. */
export function isRetryable(code: ErrorCode): boolean {
  return RETRYABLE.has(code);
}

/** Structured details of the failure, included in the problem document (RFC 9457 extension members). */
export interface ErrorDetails {
  readonly errors?: readonly { readonly parameter: string; readonly detail: string }[];
  readonly target?: {
    readonly url: string;
    readonly status?: number;
    readonly net_error?: string;
    /** It is served as a download. */
    readonly download?: true;
  };
  /** The pipeline phase in which time ran out, and the wait reason. */
  readonly phase?: string;
  readonly unmet?: string;
  /** Seconds after which a retry makes sense: becomes `Retry-After`. */
  readonly retry_after?: number;
  readonly retryable?: boolean;
  readonly allow?: readonly string[];
  /** What was done until the failure, such as the steps of a navigation. */
  readonly report?: Readonly<Record<string, unknown>>;
  /** Reason as one of a few fixed words for metrics, such as `wrong_credential`. Not included in problem documents. */
  readonly reason?: string;
}

export interface ErrorOptions extends ErrorDetails {
  readonly cause?: unknown;
  readonly plugin?: string;
  readonly hook?: string;
  /** Assets collected before the render failed. */
  readonly assets?: CollectedAssets | undefined;
  /** Shows the cause to the client, as further assets of the failed render. */
  readonly evidence?: readonly Asset[] | undefined;
  /**
   * Of a `browser_lost`: the other kind of browser for one retry of the render, if its plan is retryable. If the plan is only
   * retryableBeforeScript, for errors thrown before any action in the loaded page.
   */
  readonly retryWith?: BrowserRequirements | undefined;
}

/** An error with a code of the table. Its message is for the client: without secrets, stack traces and file paths. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Whether the message may leave the server. */
  readonly expose: boolean;
  readonly plugin: string | undefined;
  readonly hook: string | undefined;
  readonly details: ErrorDetails;
  /** Additional assets of the render that failed. */
  readonly assets: CollectedAssets | undefined;
  readonly evidence: readonly Asset[] | undefined;
  /** The browser of another kind that this render needs. */
  readonly retryWith: BrowserRequirements | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    const { cause, plugin, hook, assets, evidence, retryWith, ...details } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = ERRORS[code].status;
    this.expose = code !== 'internal' && code !== 'plugin_failed';
    this.plugin = plugin;
    this.hook = hook;
    this.details = details;
    this.assets = assets;
    this.evidence = evidence;
    this.retryWith = retryWith;
  }

  /** The same error, saying which plugin's tap of which hook threw it. */
  withOrigin(plugin: string, hook: string): PlatenError {
    return this.plugin === undefined ? this.#with({ plugin, hook }) : this;
  }

  /** The same error, with the assets collected before it. */
  withAssets(assets: CollectedAssets): PlatenError {
    return this.#with({ assets });
  }

  /** The same error, with more in its message. */
  withDetail(more: string): PlatenError {
    return this.#with({}, `${this.message}; ${more}`);
  }

  #with(more: ErrorOptions, message = this.message): PlatenError {
    const { plugin, hook, cause, assets, evidence, retryWith } = this;
    const own = {
      ...this.details,
      cause,
      ...{ assets, evidence, retryWith },
      ...(plugin === undefined ? {} : { plugin }),
      ...(hook === undefined ? {} : { hook }),
    };
    const copy = new PlatenError(this.code, message, { ...own, ...more });
    if (this.stack !== undefined) copy.stack = this.stack;
    return copy;
  }
}

/** True for errors of this table, also from another copy of this package, such as a separately installed plugin's dependency. */
export function isPlatenError(error: unknown): error is PlatenError {
  return (
    error instanceof Error && error.name === 'PlatenError' && 'code' in error && typeof error.code === 'string' && error.code in ERRORS
  );
}

/** The error of requests that a stopping server or kernel refuses or ends. */
export function drainingError(): PlatenError {
  return new PlatenError('draining', 'the server is shutting down', { retryable: true, retry_after: 5 });
}

/** A 400 that names one parameter. */
export function invalidParameter(parameter: string, detail: string): PlatenError {
  return new PlatenError('invalid_parameters', detail, { errors: [{ parameter, detail }] });
}
