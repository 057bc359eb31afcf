import { contextKey, definePlugin, type Fragments, type RenderContext, Stage } from '@platen/kernel';
import { redactionOf } from '@platen/lib-redaction';
import { type ConsoleRecord, recordConsole } from './record-console.js';
import { recordRequests, type RequestRecord } from './record-requests.js';

const EVIDENCE_PARAMS = {
  with_evidence: {
    type: 'boolean',
    description:
      'If the render fails once its page is open, link from the error what the page showed: a screenshot of that moment, its console with uncaught errors, and its failed and unfinished requests.',
    default: false,
    'x-extension': true,
    'x-search': ['debug', 'console errors', 'why did it fail', 'failed requests'],
  },
} as const satisfies Fragments;

const KEY = 'with_evidence';
const LINES = { contentType: 'application/x-ndjson' } as const;
const recordKey = contextKey<EvidenceRecord>('evidence');

interface EvidenceRecord {
  readonly console: ConsoleRecord;
  readonly requests: RequestRecord;
  readonly takePicture: (context: RenderContext) => Promise<Buffer>;
}

/** What a failed render shows of its page. A render that succeeds is only listened to. */
export default definePlugin({
  name: 'evidence',
  assets: ['evidence', 'console', 'requests'].map((name) => ({ key: KEY, name, ofFailure: true })),
  params: EVIDENCE_PARAMS,
  apply({ hooks, plugins }) {
    hooks.beforeNavigate.tapPromise({ name: 'evidence', for: { asset: KEY } }, async (context) => {
      // The further tabs of a walk do not fail the render.
      if (context.tabIndex > 0) return;
      const redact = redactionOf(context, plugins).text;
      // Loaded with the first render that asks for it, since a failed one has little time.
      const { takePicture } = await import('./take-picture.js');
      context.set(recordKey, { console: recordConsole(context.page, redact), requests: recordRequests(context, redact), takePicture });
    });
    hooks.additionalAssets.tapPromise({ name: 'evidence', stage: Stage.early, for: { asset: KEY } }, async (context, assets) => {
      const record = context.get(recordKey);
      if (record === undefined || !assets.isAfterFailure()) return;
      // It is begun first, and awaited last: a page that does not respond delays no other asset.
      const picture = record.takePicture(context);
      picture.catch(() => undefined);
      await assets.add({ name: 'console', ...LINES, extension: 'console.jsonl', body: record.console.stop() });
      await assets.add({ name: 'requests', ...LINES, extension: 'requests.jsonl', body: record.requests.stop() });
      await assets.add({ name: 'evidence', contentType: 'image/png', extension: 'evidence.png', body: () => picture });
    });
  },
});
