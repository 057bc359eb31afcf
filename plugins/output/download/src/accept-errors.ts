import type { EventPayload, RenderContext } from '@platen/kernel';

type Paused = EventPayload<'Fetch.requestPaused'>;

/** Types that a browser shows, whatever their status. */
const SHOWN = /^(?:text\/|image\/|audio\/|video\/|multipart\/|application\/(?:json|(?:java|ecma)script|.*xml)|.*\+(?:json|xml))/i;

/**
 * With `fail=false` an error answer is what the target sends, and a file where it is sent as one. Browsers give such files up: the main
 * document's answer is let through with another status, on a protocol session of its own, beside whatever else intercepts. `X-Target-Status` says
 * the one that came.
 */
export async function acceptErrorFiles(context: RenderContext): Promise<void> {
  const { page } = context;
  const session = await page.openSession();
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, responseStatusCode: status = 0, responseHeaders = [], frameId } = paused;
    const change = frameId === page.mainFrameId && isErrorFile(paused);
    if (change) context.setResponseHeader('X-Target-Status', String(status));
    const answer = change ? { requestId, responseCode: 200, responsePhrase: 'OK', responseHeaders } : { requestId };
    // Whoever gave the request up is past caring.
    session.send('Fetch.continueResponse', answer).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }] });
}

function isErrorFile({ responseStatusCode: status = 0, responseHeaders = [] }: Paused): boolean {
  if (status < 400) return false;
  const header = (wanted: string) => responseHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value.trim() ?? '';
  const type = header('content-type');
  return /^attachment\b/i.test(header('content-disposition')) || (type !== '' && !SHOWN.test(type));
}
