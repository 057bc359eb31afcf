import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { OutboundError, silentLogger, type OutboundOptions } from '@platen/kernel';
import egress from '@platen/plugin-egress';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../../plugins/service/jobs/src/job.js';
import { JobStore } from '../../../../plugins/service/jobs/src/job-store.js';
import { createWebhookSender } from '../../../../plugins/service/jobs/src/send-webhooks.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { heldRenders, makeFolder, openJobsServer, PAGE, type JobsServer } from './jobs-server.js';

const SECRETS = ['a', 'b'].map((letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`);

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let site: Site;
let messages: Message[];
beforeEach(async () => {
  messages = [];
  site = await openSite({
    '/hook': async (request) => {
      messages.push({ headers: request.headers, body: await text(request) });
      return { status: 204 };
    },
    '/moved': { status: 307, headers: { location: '/hook' } },
    '/gone': { status: 410 },
  });
});
afterEach(() => site[Symbol.asyncDispose]());

const webhookOf = (server: JobsServer, path: string) => async () => (await server.show(path)).webhook?.outcome !== undefined;

/** Throws unless every secret verifies the message, as receivers do. */
function verify({ headers, body }: Message): unknown {
  const [first] = SECRETS.map((secret) => new Webhook(secret).verify(body, headers as Record<string, string>));
  return first;
}

describe('the end of a job', () => {
  it.each(['https://example.com', 'https://example.com/render/'])('has absolute links with --server-public-url %s', async (base) => {
    const flags = { 'server-webhook-url': site.url('/hook'), 'server-public-url': base };
    const server = await openJobsServer({ flags });
    const location = await server.create();
    const path = location.slice(location.indexOf('/jobs/'));
    const job = await server.ended(path);
    await until(webhookOf(server, path));
    const root = base.replace(/\/$/, '');
    expect(location).toBe(`${root}/jobs/${job.id}`);
    expect(job.output?.url).toMatch(`${root}/assets?id=`);
    expect(JSON.parse(messages[0]?.body ?? '').data.output.url).toBe(job.output?.url);
    const { pathname, search } = new URL(job.output?.url ?? '');
    expect((await fetch(server.url + pathname.replace('/render', '') + search)).status).toBe(200);
  });

  it('is reported to the URL of the flag, signed by each secret, with the job as the client sees it', async () => {
    const flags = { 'server-webhook-url': site.url('/hook'), 'server-webhook-secret': SECRETS };
    const server = await openJobsServer({ flags });
    const path = await server.create(`${PAGE}&cookie=sid=canary`);
    const job = await server.ended(path);
    await until(webhookOf(server, path));
    expect(messages).toHaveLength(1);
    const [message] = messages as [Message];
    const { webhook: _webhook, ...data } = job;
    expect(verify(message)).toEqual({ type: 'job.done', timestamp: expect.any(String), data });
    expect(message.headers).toMatchObject({ 'webhook-id': `msg_${job.id}`, 'content-type': 'application/json' });
    expect(message.body).not.toContain('canary');
    expect((await server.show(path)).webhook).toEqual({ attempts: 1, outcome: 'delivered' });
    expect(() => verify({ ...message, body: message.body.replace('done', 'fail') })).toThrow();
  });

  it('is reported to the URL of the request instead, for failed and canceled jobs too', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render, flags: { 'server-webhook-url': site.url('/gone') } });
    const headers = { 'webhook-url': site.url('/hook') };
    const [canceled, failed] = [await server.create(PAGE, headers), await server.create('url=http://b.test/', headers)];
    await held.begun(2);
    await server.cancel(canceled);
    await until(() => messages.length === 1);
    held.began[1]?.release();
    await server.ended(failed);
    await until(() => messages.length === 2);
    expect(messages.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['job.canceled', 'job.done']);
    // Without a secret.
    expect(messages[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('is not reported to private addresses that a request names, where they are blocked', async () => {
    const flags = { 'block-private-ips': true, 'server-webhook-url': site.url('/hook') };
    const server = await openJobsServer({ plugins: [egress], flags });
    const byRequest = await server.create(PAGE, { 'webhook-url': site.url('/hook') });
    await server.ended(byRequest);
    await until(webhookOf(server, byRequest));
    expect((await server.show(byRequest)).webhook).toEqual({ attempts: 1, outcome: 'failed' });
    expect(site.requests).toEqual([]);
    const byFlag = await server.create(PAGE);
    await server.ended(byFlag);
    await until(webhookOf(server, byFlag));
    expect(site.requests).toHaveLength(1);
  });

  it('that could not be reported is reported after a restart', async () => {
    const first = await openJobsServer({ flags: { 'server-webhook-url': site.url('/moved') } });
    const path = await first.create();
    await first.ended(path);
    await until(async () => (await first.show(path)).webhook?.attempts === 1);
    // A redirect is not followed.
    expect(messages).toEqual([]);
    await first.close();
    const { folder } = first;
    // As if the time of the next attempt had come.
    const store = await JobStore.open(`${folder}/jobs-1`, silentLogger);
    await store.update(path.slice(6), { webhook: { attempts: 1, nextAt: 0 } });
    await store.close();
    const second = await openJobsServer({ folder, flags: { 'server-webhook-url': site.url('/hook') } });
    await until(webhookOf(second, path));
    expect(messages).toHaveLength(1);
    expect((await second.show(path)).webhook).toEqual({ attempts: 2, outcome: 'delivered' });
  });
});

describe('an attempt', () => {
  const job: JobRecord = {
    id: 'AAAAAAAAAAAAAAAAAAAAAA',
    requestId: 'r',
    source: 'query',
    state: 'done',
    createdAt: 1,
    endedAt: 2,
    starts: 1,
  };

  /** Sends to a receiver with the given responses, one after another. Resolves with the outcome and the requests. */
  async function deliver(responses: readonly (number | OutboundError['reason'])[]) {
    const store = await JobStore.open(await makeFolder(), silentLogger);
    const pending = { ...job, webhook: { url: 'https://hooks.test/', attempts: 0 } };
    await store.create(pending, {});
    const sent: OutboundOptions[] = [];
    const outbound = {
      fetch: (url: string, options: OutboundOptions) => {
        const response = responses[sent.length] ?? 500;
        sent.push(options);
        if (typeof response !== 'number') return Promise.reject(new OutboundError(response, 'failed'));
        return Promise.resolve({ url, status: response, headers: {}, body: Buffer.alloc(0) });
      },
    };
    const sender = createWebhookSender({
      store,
      outbound,
      log: silentLogger,
      url: undefined,
      secrets: SECRETS,
      lifetimeMs: 1,
      delaysMs: [0, 0, 0, 0],
    });
    sender.send(pending);
    await until(() => store.jobs.get(job.id)?.webhook?.outcome !== undefined);
    await sender.stop();
    await store.close();
    return { sent, webhook: store.jobs.get(job.id)?.webhook };
  }

  it.each([
    ['succeeds at last', [500, 'unreachable', 'timeout', 200], { attempts: 4, outcome: 'delivered' }],
    ['is the last of five', [], { attempts: 5, outcome: 'failed' }],
    ['is the only one if the receiver is gone', [410], { attempts: 1, outcome: 'failed' }],
    ['is the only one if the address is blocked', ['blocked'], { attempts: 1, outcome: 'failed' }],
    ['is no success with a redirect', [302, 200], { attempts: 2, outcome: 'delivered' }],
  ] as const)('%s', async (_, responses, outcome) => {
    const { sent, webhook } = await deliver(responses);
    expect(webhook).toMatchObject(outcome);
    expect(sent).toHaveLength(outcome.attempts);
    expect(new Set(sent.map(({ headers }) => headers?.['webhook-id']))).toEqual(new Set([`msg_${job.id}`]));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    for (const { headers = {}, body } of sent) verify({ headers, body: String(body) });
    expect(sent.every((options) => options.namedByOperator === false && options.maxRedirects === 0)).toBe(true);
  });
});
