import type { CoreParams } from './core-params.js';
import { PlatenError } from './errors.js';
import type { OwnedContext } from './render-context.js';

/** The kernel's own navigation: go to the plan's URL, and judge the status that the target answers with. */
export async function navigateToTarget({ context, responded }: OwnedContext): Promise<void> {
  const { plan, page } = context;
  const { fail }: CoreParams = plan.params;
  context.waitingFor('the target to answer');
  const response = await page.goto(plan.url);
  responded(response);
  if (response === undefined || isSuccess(response.status)) return;
  if (fail !== false) {
    throw new PlatenError(
      'target_status',
      `the target answered with status ${String(response.status)}; "fail=false" renders it all the same`,
      {
        target: { url: withoutSecrets(response.url), status: response.status },
      },
    );
  }
  context.header('X-Target-Status', String(response.status));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The URL as it may be repeated to others: without userinfo. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
