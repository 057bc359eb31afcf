import { definePlugin, PlatenError, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import { type Jobs, openJobs } from './open-jobs.js';
import { addJobRoutes, describeJobs } from './routes.js';

const NAME = 'jobs';
const ENABLE = 'server-enable-jobs';
const WEBHOOK = 'server-webhook-url';
const SECRET = 'server-webhook-secret';
/** Default of `--server-additional-asset-expiration`. */
const LIFETIME_S = 3600;

/** Renders with `Prefer: respond-async` are jobs: `/jobs/{id}` shows their state, and a webhook reports their end. */
export default definePlugin({
  name: NAME,
  flags: {
    [ENABLE]: {
      type: ['boolean', 'string'],
      description:
        "Accept Prefer: respond-async and serve /jobs/{id}. true: jobs are stored in the user's cache directory; or a directory, which no other server uses.",
      minLength: 1,
      examples: ['/var/lib/platen/jobs'],
      'x-paths': ['/jobs'],
    },
    [WEBHOOK]: {
      type: 'string',
      pattern: String.raw`^https?://[^\s/?#@]+(?:[/?#]\S*)?$`,
      description:
        'URL that is notified of the end of each job, unless its request has the header Webhook-URL. It may be a private address.',
      'x-expects': 'an http or https URL without user and password',
      examples: ['https://app.example.com/webhooks/platen'],
    },
    [SECRET]: {
      type: 'array',
      items: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$' },
      minItems: 1,
      description:
        'Secret that signs webhooks: whsec_ and 24 to 64 bytes in base64, or @FILE with one per line. May be repeated: each secret signs.',
      'x-secret': true,
      'x-expects': 'whsec_ and the base64 of 24 to 64 random bytes (Standard Webhooks)',
    },
  },
  serve(server, { options, log, outbound }) {
    const { hooks, flags } = server;
    const where = options[ENABLE];
    if (where === undefined || where === false) {
      for (const flag of [WEBHOOK, SECRET]) if (server.isGiven(flag)) log.warn({}, `--${flag} has no effect without --${ENABLE}`);
      return;
    }
    const { [WEBHOOK]: webhookUrl, [SECRET]: webhookSecrets = [] } = options;
    const expiration = flags['server-additional-asset-expiration'];
    const lifetimeMs = (typeof expiration === 'number' ? expiration : LIFETIME_S) * 1000;
    let jobs: Jobs | undefined;
    const opened = () => {
      if (jobs === undefined) throw new PlatenError('draining', 'the server has not started yet');
      return jobs;
    };
    // Last: the other plugins of a render have opened their resources.
    hooks.start.tapPromise({ name: NAME, stage: Stage.last }, async () => {
      if (webhookUrl !== undefined && webhookSecrets.length === 0) log.warn({}, `webhooks are not signed: set --${SECRET}`);
      jobs = await openJobs({ server, outbound, log, where, webhookUrl, webhookSecrets, lifetimeMs });
    });
    hooks.defer.tapPromise(NAME, (call) => opened().submit(call));
    hooks.routes.tap(NAME, (router) => {
      addJobRoutes(router, opened);
    });
    hooks.describe.tap(NAME, describeJobs);
    hooks.status.tap(NAME, (report) => ({ ...report, queued: report.queued + (jobs?.queued ?? 0) }));
    hooks.finished.tap(NAME, () => jobs?.pump());
    hooks.stop.tapPromise({ name: NAME, stage: Stage.first }, async () => await jobs?.stop());
  },
});
