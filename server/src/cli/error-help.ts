import type { ErrorCode } from '@platen/kernel';

/** What usually leads to an error, and what ends it. For `platen help CODE` and the reference; an error itself names the parameter. */
interface ErrorHelp {
  readonly cause: string;
  readonly cure: string;
}

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_parameters: {
    cause: 'A parameter is unknown, has an invalid value, or conflicts with another.',
    cure: '`errors` names each parameter with its valid values.',
  },
  malformed_request: { cause: 'The body or the query cannot be read.', cure: 'Send a JSON object, a form, or a query with `url`.' },
  unauthorized: {
    cause: 'The request has no valid credential.',
    cure: 'Send the `Authorization` header that `WWW-Authenticate` names, or sign the URL.',
  },
  forbidden: {
    cause: 'The signature is wrong or has expired, or the credential does not permit this.',
    cure: 'Sign the URL anew with `platen sign`, or use a credential of `--server-admin-auth`.',
  },
  origin_refused: {
    cause: 'A page of another site sent the request, or `Host` is not a name of this server.',
    cure: 'Name the site in `--server-allowed-origins`, or the host in `--server-allowed-hosts`.',
  },
  robots_disallowed: { cause: 'The robots.txt of the target disallows its URL.', cure: 'Set `skip_robots_txt` if you may do so.' },
  target_blocked: {
    cause: 'A rule of the server or of the request blocks the target.',
    cure: 'The error names the rule: `block_url`, an ad-blocking rule, or a flag such as `--block-private-ips`.',
  },
  license_required: {
    cause: 'The license of the server does not include the parameter or output type.',
    cure: 'Omit the parameter, or start the server with another `--license-key`.',
  },
  not_found: {
    cause: 'Nothing exists at this path, or the asset or job does not exist.',
    cure: 'The error names the flag that enables the path.',
  },
  method_not_allowed: { cause: 'The path does not support this method.', cure: 'Use a method of the `Allow` header.' },
  not_acceptable: {
    cause: '`Accept` excludes the content type of `output_type`.',
    cure: 'Omit the header, or choose another `output_type`.',
  },
  request_timeout: { cause: 'The request arrives too slowly.', cure: 'Send it again over a faster connection.' },
  gone: { cause: 'The asset has expired, or the cache has no such result.', cure: 'Render again.' },
  precondition_failed: {
    cause: 'The stored result does not meet the condition of `If-Match`, `If-None-Match` or `If-Unmodified-Since`.',
    cure: 'Request it without the condition, and use the new `ETag`.',
  },
  payload_too_large: { cause: 'The body is larger than the server accepts.', cure: 'Send less; the error states the limit.' },
  range_not_satisfiable: { cause: 'The range begins beyond the end of the asset.', cure: '`Content-Range` has the length of the asset.' },
  unsupported_media_type: { cause: 'The body is neither JSON in UTF-8 nor a form.', cure: 'Send `Content-Type: application/json`.' },
  expectation_failed: { cause: 'The `Expect` header has an unknown value.', cure: 'Omit the header.' },
  selector_not_found: {
    cause: 'No element matched the selector when the page was ready.',
    cure: 'Check the selector, or wait for the element: `wait_for=css:SELECTOR`.',
  },
  selector_empty: {
    cause: 'The selected element has no size, or no content.',
    cure: 'Select another element, or wait until it has content: `wait_for`.',
  },
  selection_empty: {
    cause: 'The selected part is outside of the page, or the PDF has no such page.',
    cure: 'The error states the size of the page or the number of pages.',
  },
  page_unreadable: {
    cause: 'The document has no root element, for example because a script removed it.',
    cure: 'Check the scripts of the page.',
  },
  page_unstable: {
    cause: 'The page keeps navigating to other documents.',
    cure: 'Wait for a state that stays, with `wait_for`, or block the URLs with `block_url`.',
  },
  capture_too_large: {
    cause: 'The image or document is larger than the browser can return.',
    cure: 'Use a smaller `device_scale_factor`, a selector, or no `full_page`.',
  },
  page_too_heavy: {
    cause: 'The page has more than 128 cross-site iframes, workers and popups.',
    cure: 'Block some of them with `block_url` or `block_ads`.',
  },
  not_a_download: {
    cause: 'The target is a page, not a file download.',
    cure: 'Choose another `output_type`, or start the download by a script.',
  },
  not_in_archive: {
    cause: 'The archive of `replay` has no response of the target, or its record is damaged.',
    cure: 'The error names URLs of the archive that are like it; render one of these.',
  },
  download_too_large: {
    cause: 'The file is larger than the limit.',
    cure: 'Fetch the file without Platen, or raise the limit that the error names.',
  },
  picture_differs: {
    cause: 'More of the image differs from `compare` or `compare_url` than `compare_max_pixels` or `compare_max_ratio` allows.',
    cure: 'Look at the linked difference: fix the page, or replace the baseline. Pages that move differ by themselves.',
  },
  goal_not_reached: {
    cause: 'The navigator used all its steps, or gave up.',
    cure: 'Read the steps in `report`; raise `navigator_max_steps` or describe the goal more precisely.',
  },
  too_many_requests: {
    cause: 'The server renders as much as `--server-max-concurrency` permits.',
    cure: 'Retry after `Retry-After` seconds, or start the server with `--server-queue-requests`.',
  },
  headers_too_large: { cause: 'The request line and its headers exceed 256 KiB.', cure: 'Send the parameters as the body of `POST /`.' },
  client_closed: {
    cause: 'The client disconnected before the response was complete. Appears in the log only.',
    cure: 'Give the client a longer timeout than the render.',
  },
  print_failed: {
    cause: 'The browser could not print the page.',
    cure: 'Check the free space of the temporary disk, and `pdf_page_ranges`.',
  },
  encode_failed: { cause: 'The capture could not be written in the output format.', cure: 'The error names the reason; see the log.' },
  plugin_failed: {
    cause: 'A plugin threw an unexpected error.',
    cure: 'The log names the plugin and its hook, under the request id. Report it.',
  },
  internal: { cause: 'Platen has a bug.', cure: 'The log has the error, under the request id. Report it.' },
  feature_unavailable: {
    cause: 'The host of the server lacks a program or a list that the parameter needs.',
    cure: '`platen doctor` names what to install.',
  },
  target_status: {
    cause: 'The target responded with a status outside 200 to 299.',
    cure: 'Set `fail=false` to render the error page.',
  },
  target_unreachable: {
    cause: 'The target could not be reached: name, connection or certificate.',
    cure: '`target.net_error` names the reason. For a private authority, use `--browser-ca-file`.',
  },
  proxy_failed: {
    cause: 'The egress proxy refused the connection or did not respond.',
    cure: 'Check `proxy`, or the flags of the server.',
  },
  target_not_page: {
    cause: 'The target is a file that the browser would download, or a list that cannot be read.',
    cure: 'For a file, use `output_type=download`.',
  },
  page_crashed: {
    cause: 'The renderer process of the page crashed, often for lack of memory.',
    cure: 'Retry; make the page or the capture smaller.',
  },
  llm_upstream: {
    cause: 'The provider of the language model did not respond, or with an error.',
    cure: 'Check its key, quota and address, or retry.',
  },
  llm_output_invalid: {
    cause: 'The language model did not answer in the required form.',
    cure: 'Use another model, or a simpler schema.',
  },
  step_failed: {
    cause: 'A step found no element, or could not act on it.',
    cure: '`report` shows the step and what the page had; the assets of the error show the page.',
  },
  script_failed: { cause: 'The script of the request threw an error.', cure: 'The error has its message; correct the script.' },
  browser_unavailable: {
    cause: 'No browser could be started, or it opened no page.',
    cure: '`platen doctor` names the reason on the server.',
  },
  browser_lost: {
    cause: 'The browser crashed or hung twice during the render.',
    cure: 'Retry. If it recurs, the log has the output of the browser.',
  },
  overloaded: {
    cause: 'The server is short of memory or disk space.',
    cure: 'Retry after `Retry-After` seconds; give the server more of it.',
  },
  draining: { cause: 'The server is shutting down.', cure: 'Retry with another server, or after the restart.' },
  render_timeout: {
    cause: 'The page was not ready, or not captured, within `timeout` seconds.',
    cure: '`phase` and `unmet` name what it waited for. Raise `timeout`, choose another `wait_for`, or set `capture_on_timeout`.',
  },

  boot_unknown_plugin: { cause: 'A flag names a plugin that is not installed.', cure: '`platen plugins` lists the installed ones.' },
  boot_duplicate_plugin: { cause: 'Two packages contain a plugin of the same name.', cure: 'Remove one of the packages.' },
  boot_duplicate_key: { cause: 'Two plugins declare the same parameter.', cure: 'Disable one of them with `--disable-plugins`.' },
  boot_duplicate_capture: { cause: 'Two plugins declare the same capture kind.', cure: 'Disable one of them with `--disable-plugins`.' },
  boot_duplicate_output: { cause: 'Two plugins declare the same output type.', cure: 'Disable one of them with `--disable-plugins`.' },
  boot_missing_requirement: { cause: 'A plugin requires another that is not enabled.', cure: 'Enable the plugin that the error names.' },
  boot_requirement_cycle: { cause: 'Plugins require each other.', cure: 'Change `requires` of one of them.' },
  boot_kernel_range: {
    cause: 'A plugin was made for another version of the kernel.',
    cure: 'Install a version of the plugin for this one.',
  },
  boot_missing_capture: { cause: 'No plugin provides the capture kind of an output type.', cure: 'Enable the plugin that provides it.' },
  boot_missing_encode: { cause: 'A plugin declares an output type but does not encode it.', cure: 'Tap the hook `encode` for the type.' },
  boot_invalid_fragment: {
    cause: 'A parameter or flag of a plugin has an invalid schema.',
    cure: 'Correct the member that the error names.',
  },
  boot_invalid_plugin: {
    cause: 'The definition of a plugin is invalid, or the plugin fails at startup.',
    cure: 'Correct the member that the error names.',
  },
  boot_source_unavailable: {
    cause: 'A list, key or bucket that a flag names could not be fetched.',
    cure: 'Check its address, and the connection.',
  },
  boot_invalid_flag: {
    cause: 'A flag has an invalid value, or conflicts with another.',
    cure: 'The error names the flag with its valid values.',
  },
  boot_license_required: { cause: 'The license does not include a flag.', cure: 'Omit the flag, or set another `--license-key`.' },
};
