import { PlatenError } from '@platen/kernel';
import type { ApiDescription, EndpointDescription, Router } from '@platen/server';
import { hasEnded, type JobRecord } from './job.js';

/** What the routes need of the jobs. */
export interface RoutedJobs {
  find(id: string): JobRecord | undefined;
  describe(job: JobRecord): object;
  cancel(id: string): Promise<boolean>;
  /** Resolves once the job has ended, the server drains, or the signal aborts. */
  untilEnded(id: string, signal: AbortSignal): Promise<void>;
}

const PATH = '/jobs/:id';
const LONGEST_WAIT_S = 60;

/** `GET` and `DELETE /jobs/{id}`. */
export function addJobRoutes(router: Router, opened: () => RoutedJobs): void {
  router.get(PATH, async (ctx) => {
    const [jobs, { id = '' }] = [opened(), ctx.params];
    const waitS = hasEnded(findJob(jobs, id, ctx.state)) ? undefined : readWait(ctx.get('Prefer'));
    if (waitS !== undefined) {
      await jobs.untilEnded(id, AbortSignal.any([ctx.state.controller.signal, AbortSignal.timeout(waitS * 1000)]));
      ctx.set('Preference-Applied', `wait=${String(waitS)}`);
    }
    const job = findJob(jobs, id, ctx.state);
    if (!hasEnded(job)) ctx.set('Retry-After', '1');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(jobs.describe(job));
  });
  router.delete(PATH, async (ctx) => {
    const [jobs, { id = '' }] = [opened(), ctx.params];
    findJob(jobs, id, ctx.state);
    if (!(await jobs.cancel(id))) throw new PlatenError('gone', 'the job has already ended: there is nothing to cancel');
    ctx.status = 204;
  });
}

/** A client with a name sees only its own jobs, and those that were created by a signed URL, which has no name. */
function findJob(jobs: RoutedJobs, id: string, client: { readonly identity?: string }): JobRecord {
  const job = jobs.find(id);
  if (job !== undefined && (job.identity === undefined || job.identity === client.identity)) return job;
  throw new PlatenError('not_found', 'the job does not exist, has expired, or belongs to another client');
}

/** Seconds of `Prefer: wait=10` (RFC 7240, 4.3). */
function readWait(header: string): number | undefined {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})(?:$|[",;\s])/i.exec(header) ?? [];
  return seconds === undefined ? undefined : Math.min(LONGEST_WAIT_S, Number(seconds));
}

const TEXT = { type: 'string' } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const FILE = {
  type: 'object',
  required: ['url', 'content_type', 'bytes'],
  properties: { url: TEXT, content_type: TEXT, bytes: COUNT },
} as const;
const ASSET = { ...FILE, required: ['name', ...FILE.required], properties: { name: TEXT, ...FILE.properties } } as const;

const JOB = {
  type: 'object',
  required: ['id', 'state', 'created_at'],
  properties: {
    id: TEXT,
    state: { type: 'string', enum: ['queued', 'running', 'done', 'failed', 'canceled'] },
    created_at: TIME,
    started_at: TIME,
    ended_at: TIME,
    expires_at: TIME,
    progress: {
      type: 'object',
      description: 'Phase of the render; pages or steps of a render that has several.',
      properties: { phase: TEXT, done: COUNT, queued: COUNT, failed: COUNT },
    },
    output: { ...FILE, description: 'The output, as a path on this server.' },
    assets: { type: 'array', items: ASSET },
    headers: { type: 'object', description: 'Response headers of the render.', additionalProperties: TEXT },
    problem: { type: 'object', description: 'Why the job failed: a problem document (RFC 9457).' },
    webhook: { type: 'object', properties: { attempts: COUNT, outcome: { type: 'string', enum: ['delivered', 'failed'] } } },
  },
} as const;

/** Adds the jobs to the OpenAPI document. */
export function describeJobs({ endpoints, renders }: ApiDescription): ApiDescription {
  const prefer = { name: 'Prefer', in: 'header', description: '`respond-async`: render as a job.', schema: TEXT } as const;
  const url = {
    name: 'Webhook-URL',
    in: 'header',
    description: 'With `Prefer: respond-async`: notified of its end.',
    schema: TEXT,
  } as const;
  const headers = { Location: 'Path of the job.', 'Preference-Applied': '`respond-async`' };
  const accepted = { description: 'The render is a job.', headers, content: { 'application/json': JOB } };
  return {
    endpoints: [...endpoints, ...describeEndpoints()],
    renders: { parameters: [...renders.parameters, prefer, url], answers: { ...renders.answers, 202: accepted } },
  };
}

function describeEndpoints(): readonly EndpointDescription[] {
  const path = '/jobs/{id}';
  const id = { name: 'id', in: 'path', required: true, description: 'From `Location` of the 202.', schema: TEXT } as const;
  const prefer = { name: 'Prefer', in: 'header', description: '`wait=10`: respond once the job ends.', schema: TEXT } as const;
  return [
    {
      method: 'get',
      path,
      summary: 'State of a job',
      description: 'A request to `/` with `Prefer: respond-async` creates a job.',
      parameters: [id, prefer],
      answers: { 200: { description: 'The job.', content: { 'application/json': JOB } } },
      errors: ['not_found'],
    },
    {
      method: 'delete',
      path,
      summary: 'Cancel a job',
      parameters: [id],
      answers: { 204: { description: 'The job was canceled.' } },
      errors: ['not_found', 'gone'],
    },
  ];
}
