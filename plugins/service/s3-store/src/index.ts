import { definePlugin, OutboundError, PlatenError } from '@platen/kernel';
import type { ReportFinding } from '@platen/server';
import { S3AssetStore } from './asset-store.js';
import { createClient, S3Error, type S3Client } from './client.js';
import { probeBucket } from './objects.js';
import { S3ResultStore } from './result-store.js';
import { FLAGS, readSettings, type Settings } from './settings.js';

const NAME = 's3-store';
const PROBE = { timeoutMs: 10_000, attempts: 1 } as const;

/** Stores the additional assets and cached results of any number of servers in one bucket. */
export default definePlugin({
  name: NAME,
  flags: FLAGS,
  serve({ hooks }, { options, log, outbound }) {
    const settings = readSettings(options);
    if (settings === undefined) {
      const given = Object.keys(FLAGS).filter((name) => name !== 's3-store-region' && name in options);
      if (given.length > 0) log.warn({}, `--${given.join(', --')} has no effect without --s3-store-bucket`);
      return;
    }
    const { prefix } = settings;
    const client = createClient(settings, outbound);
    hooks.assetStore.tapPromise(NAME, async ({ lifetimeSeconds }) => {
      await probe(client, settings);
      return new S3AssetStore({ client, prefix: `${prefix}assets/`, lifetimeSeconds, log });
    });
    hooks.resultStore.tapPromise(NAME, async (limits) => {
      const store = new S3ResultStore({ client, prefix: `${prefix}results/`, log, ...limits });
      await store.start();
      return store;
    });
    hooks.examine.tapPromise(NAME, (report) => examine(client, settings, report));
  },
});

async function examine(client: S3Client, settings: Settings, report: ReportFinding): Promise<void> {
  const started = performance.now();
  const facts = { flag: 's3-store-bucket', bucket: settings.bucket, origin: new URL(settings.bucketUrl).origin };
  try {
    await probe(client, settings);
    const milliseconds = Math.round(performance.now() - started);
    const text = `bucket "${settings.bucket}": listed, written and deleted in ${String(milliseconds)} ms`;
    report({ id: 'bucket', state: 'ok', text, facts: { ...facts, milliseconds } });
  } catch (error) {
    const text = error instanceof Error ? error.message : `the bucket "${settings.bucket}" could not be checked`;
    report({ id: 'bucket', state: 'missing', text, fix: 'correct the flags of --s3-store-bucket, or start the service', facts });
  }
}

/** @throws PlatenError `boot_source_unavailable` with the flag to correct, if objects cannot be listed, written or deleted. */
async function probe(client: S3Client, { bucket, bucketUrl, prefix }: Settings): Promise<void> {
  try {
    await probeBucket(client, `${prefix}probe`, PROBE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const what = `--s3-store-bucket: the bucket "${bucket}" at ${new URL(bucketUrl).origin} cannot be used`;
    throw new PlatenError('boot_source_unavailable', `${what}: ${reason}; ${adviceFor(error)}`, { cause: error });
  }
}

function adviceFor(error: unknown): string {
  if (!(error instanceof S3Error)) return 'see the cause';
  if (error.cause instanceof OutboundError) return 'check --s3-store-endpoint and whether the service runs';
  switch (error.status) {
    case 301:
    case 307:
    case 400:
      return 'check --s3-store-region and --s3-store-endpoint';
    case 401:
    case 403:
      return 'check --s3-store-access-key-id and --s3-store-secret-access-key, whose key must be permitted to list, read, write and delete';
    case 404:
      return 'create the bucket, or correct --s3-store-bucket';
    default:
      return 'check the service';
  }
}
