import type { EventPayload, RenderContext } from '@platen/kernel';

type Paused = EventPayload<'Fetch.requestPaused'>;

/** Media types that a browser displays, whatever their status. */
const SHOWN = /^(?:text\/|image\/|audio\/|video\/|multipart\/|application\/(?:json|(?:java|ecma)script|.*xml)|.*\+(?:json|xml))/i;

/**
 * With `fail=false` an error response is the result, and a file if it is sent as one. Browsers cancel such downloads, so the main
 * document's response continues with another status, through a dedicated protocol session beside other interceptors. `X-Target-Status` has
 * the original status.
 */
export async function acceptErrorFiles(context: RenderContext): Promise<void> {
  const { page } = context;
  const session = await page.openSession();
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, responseStatusCode: status = 0, responseHeaders = [], frameId } = paused;
    const change = frameId === page.mainFrameId && isErrorFile(paused);
    if (change) context.setResponseHeader('X-Target-Status', String(status));
    const answer = change ? { requestId, responseCode: 200, responsePhrase: 'OK', responseHeaders } : { requestId };
    // The request's owner has already canceled it.
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
