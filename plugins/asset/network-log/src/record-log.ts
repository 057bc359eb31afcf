import type { Readable } from 'node:stream';
import { enableNetwork, type EventName, PlatenError, type ProtocolSession, type RenderContext, type TargetSession } from '@platen/kernel';
import { type Redaction, redactionKey } from '@platen/lib-redaction';
import { createSpool } from '@platen/lib-spool';

/** The events of three protocol domains, except events that carry images or belong to Chrome Apps APIs. */
const EVENTS = [
  'Network.dataReceived',
  'Network.deviceBoundSessionEventOccurred',
  'Network.deviceBoundSessionsAdded',
  'Network.eventSourceMessageReceived',
  'Network.loadingFailed',
  'Network.loadingFinished',
  'Network.policyUpdated',
  'Network.reportingApiEndpointsChangedForOrigin',
  'Network.reportingApiReportAdded',
  'Network.reportingApiReportUpdated',
  'Network.requestServedFromCache',
  'Network.requestWillBeSent',
  'Network.requestWillBeSentExtraInfo',
  'Network.resourceChangedPriority',
  'Network.responseReceived',
  'Network.responseReceivedEarlyHints',
  'Network.responseReceivedExtraInfo',
  'Network.signedExchangeReceived',
  'Network.trustTokenOperationDone',
  'Network.webSocketClosed',
  'Network.webSocketCreated',
  'Network.webSocketFrameError',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameSent',
  'Network.webSocketHandshakeResponseReceived',
  'Network.webSocketWillSendHandshakeRequest',
  'Network.webTransportClosed',
  'Network.webTransportConnectionEstablished',
  'Network.webTransportCreated',
  'Page.backForwardCacheNotUsed',
  'Page.documentOpened',
  'Page.domContentEventFired',
  'Page.downloadProgress',
  'Page.downloadWillBegin',
  'Page.fileChooserOpened',
  'Page.frameAttached',
  'Page.frameDetached',
  'Page.frameNavigated',
  'Page.frameRequestedNavigation',
  'Page.frameResized',
  'Page.frameStartedLoading',
  'Page.frameStartedNavigating',
  'Page.frameStoppedLoading',
  'Page.frameSubtreeWillBeDetached',
  'Page.interstitialHidden',
  'Page.interstitialShown',
  'Page.javascriptDialogClosed',
  'Page.javascriptDialogOpening',
  'Page.lifecycleEvent',
  'Page.loadEventFired',
  'Page.navigatedWithinDocument',
  'Page.windowOpen',
  'Security.securityStateChanged',
  'Security.visibleSecurityStateChanged',
] as const satisfies readonly EventName[];

/** Documents with a `data:` URL would be repeated in full with each of their requests. */
const LONG_LINE = 16_384;

const LONGEST_DATA_URL = 256;

export interface NetworkLog {
  /** Ends the recording. */
  stop(): void;
  open(): Readable;
}

/** Writes the events of every target to a temporary file as they arrive. The file is deleted at the end of the render. */
export function recordLog({ page, onRenderEnd, get }: RenderContext): NetworkLog {
  const redaction = get(redactionKey);
  const spool = createSpool();
  onRenderEnd(async () => {
    await spool[Symbol.asyncDispose]();
  });
  const writer = spool.openWriter();
  const started = performance.now();
  const stops: (() => void)[] = [];
  let stopped = false;
  let lost = 0;
  const write = (target: TargetSession, method: string, params: unknown): void => {
    const line = logLine({ t: performance.now() - started, wall: new Date(), target, method, params, redaction });
    if (lost > 0 || !writer.write(Buffer.from(line))) lost += 1;
  };
  page.targets.configure((target) => {
    if (stopped) return [];
    stops.push(
      ...EVENTS.map((event) =>
        target.on(event, (params) => {
          write(target, event, params);
        }),
      ),
    );
    return enable(target);
  });
  return {
    stop() {
      stopped = true;
      for (const stop of stops) stop();
      writer.end();
      if (lost > 0) throw new PlatenError('encode_failed', `the disk was too slow: ${String(lost)} events were lost`);
    },
    open: () => writer.open(),
  };
}

function enable(target: TargetSession): readonly Promise<unknown>[] {
  const network = enableNetwork(target);
  return target.hasDocuments ? [network, ...enableDocuments(target)] : [network];
}

function enableDocuments({ send }: ProtocolSession): readonly Promise<unknown>[] {
  return [send('Page.enable'), send('Page.setLifecycleEventsEnabled', { enabled: true }), send('Security.enable')];
}

interface ReceivedEvent {
  /** Milliseconds since the recording started. */
  readonly t: number;
  readonly wall: Date;
  readonly target: Pick<TargetSession, 'sessionId' | 'targetId'>;
  readonly method: string;
  readonly params: unknown;
  readonly redaction: Redaction | undefined;
}

/** Serializes one event to one line: `{t, wall, session, target, frame, method, params}`. */
function logLine({ t, wall, target, method, params, redaction }: ReceivedEvent): string {
  const frame = frameOf(params);
  const line = {
    t: Math.round(t * 1000) / 1000,
    wall: wall.toISOString(),
    session: target.sessionId,
    target: target.targetId,
    ...(frame === undefined ? {} : { frame }),
    method,
    params: redactParams(withoutBodies(params), redaction),
  };
  return `${serialize(line)}\n`;
}

function frameOf(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  if ('frameId' in params && typeof params.frameId === 'string') return params.frameId;
  if (!('frame' in params) || typeof params.frame !== 'object' || params.frame === null) return undefined;
  return 'id' in params.frame && typeof params.frame.id === 'string' ? params.frame.id : undefined;
}

/** The events carry streamed bodies if another plugin streams them. */
function withoutBodies(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || !('data' in params) || !('dataLength' in params)) return params;
  const { data: _data, ...rest } = params;
  return rest;
}

/** Bytes of the events are in base64: `postDataEntries` of a request, and a binary message, which is not distinguished from a text. */
function redactParams(params: unknown, redaction: Redaction | undefined): unknown {
  if (redaction === undefined) return params;
  return JSON.parse(JSON.stringify(params), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return redaction.text(name === 'bytes' ? redaction.base64(value) : value);
  });
}

/** Removes user names and passwords from URLs, and the headers of Platen's own proxy. */
function serialize(line: object): string {
  const text = JSON.stringify(line);
  const isLong = text.length > LONG_LINE && text.includes('"data:');
  const cleaned = isLong || /"proxy-|\bproxy-(?:authorization|connection):/i.test(text) ? JSON.stringify(line, clean) : text;
  return cleaned.includes('@') ? cleaned.replace(/\b((?:https?|wss?):\/\/)[^/?#\s"\\@]*@/gi, '$1') : cleaned;
}

function clean(name: string, value: unknown): unknown {
  if (/^proxy-(?:authorization|connection)$/i.test(name)) return undefined;
  if (typeof value !== 'string') return value;
  if (value.startsWith('data:') && value.length > LONGEST_DATA_URL) return `${value.slice(0, LONGEST_DATA_URL)}…`;
  return value.replace(/^proxy-(?:authorization|connection):.*\r?\n/gim, '');
}
