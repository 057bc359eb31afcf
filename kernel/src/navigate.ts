import type { TargetResponse } from './browser/page/contract.js';
import type { CoreParams } from './core-params.js';
import { isPlatenError, PlatenError } from './errors.js';
import { contextKey, type PipelineContext, type RenderContext } from './context.js';
import { withoutUserinfo } from './egress/read-url.js';

/** Set by a plugin: called before the render itself loads a target, in contrast to navigations of the page. */
export const beforeTarget = contextKey<(url: string) => void>('kernel: before the target is loaded');

/** Set by a plugin: rejects if the page may not be captured. Awaited before a late page is captured, whatever its `beforeCapture` has done. */
export const beforeLateCapture = contextKey<(context: RenderContext) => Promise<void>>('kernel: before a late page is captured');

/** The kernel's own navigation: loads the plan's URL and checks the response status. */
export async function navigateToTarget(owned: PipelineContext, { checksStatus = true } = {}): Promise<void> {
  const { context } = owned;
  const { plan, page } = context;
  context.setWaitReason('the target to respond');
  context.get(beforeTarget)?.(plan.url);
  const response = await page.goto(plan.url).catch((error: unknown) => checkDownload(error, owned));
  owned.responded(response);
  if (checksStatus) checkStatus(response, context);
}

/** A download fails a render of pages; an error response served as a download fails every render, since browsers do not save it. */
function checkDownload(error: unknown, { context: { plan } }: PipelineContext): undefined {
  const { target } = isPlatenError(error) ? error.details : {};
  if (target?.download !== true) throw error;
  const { fail }: CoreParams = plan.params;
  const { url, status } = target;
  const takes = plan.capture.acceptsDownloads === true;
  if (status !== undefined && !isSuccess(status) && (takes || fail !== false)) {
    const why = takes && fail === false ? ', as a file: browsers do not save error responses, also with "fail=false"' : '';
    throw new PlatenError('target_status', `the target responded with status ${String(status)}${why}`, { target: { url, status } });
  }
  if (!takes) throw error;
}

/** Loads the target again, even if its scripts have changed the address; the response is checked like the first one. */
export async function renavigate(owned: PipelineContext): Promise<void> {
  const { plan, page, get } = owned.context;
  // Navigating to the current URL may not load anything: with a fragment, it only scrolls within the document.
  const unmoved = (await page.evaluate(() => location.href)) === plan.url;
  get(beforeTarget)?.(plan.url);
  const response = unmoved ? await page.reload() : await page.goto(plan.url);
  owned.responded(response);
  checkStatus(response, owned.context);
}

/** Checks the status of the page that scripts navigated to, or that was not checked before. */
export function checkCurrentResponse({ context }: PipelineContext): void {
  const shown = context.page.currentResponse();
  if (shown !== context.response || context.plan.capture.recordsLoading === true) checkStatus(shown, context);
}

function checkStatus(response: TargetResponse | undefined, context: PipelineContext['context']): void {
  const { fail }: CoreParams = context.plan.params;
  if (response === undefined || isSuccess(response.status)) return;
  if (fail !== false) {
    throw new PlatenError('target_status', `the target responded with status ${String(response.status)}; "fail=false" renders it anyway`, {
      target: { url: withoutUserinfo(response.url), status: response.status },
    });
  }
  context.setResponseHeader('X-Target-Status', String(response.status));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
