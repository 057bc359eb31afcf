import { createHash, timingSafeEqual } from 'node:crypto';
import { PlatenError, type ServerApi, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import type { Front } from './front.js';
import { openReception } from './receive.js';

/** Where workers call back, after the address of the front. */
export const JOBS_PATH = '/cluster/jobs';
export const SECRET_HEADER = 'platen-job-secret';
/** Of the response: milliseconds that the request has waited. The clocks of two machines differ. */
export const WAITED_HEADER = 'platen-waited-ms';

const CALLBACK = /^\/cluster\/jobs\/([\w-]+)\/(\d{1,9})$/;

/** The endpoint of workers. Only the secret of its job lets a worker in. */
export function addJobsRoute({ hooks }: Pick<ServerApi, 'hooks'>, { front, name }: { readonly name: string; front(): Front }): void {
  hooks.authorize.tap({ name, stage: Stage.first }, ({ path, headers }) => {
    const [, id] = CALLBACK.exec(path) ?? [];
    if (id === undefined) return undefined;
    const job = front().find(id);
    const given = headers[SECRET_HEADER];
    // The route refuses workers of jobs that are over, without a word about them.
    if (job === undefined || isSame(job.secret, typeof given === 'string' ? given : '')) return {};
    throw new PlatenError('forbidden', `${JOBS_PATH} is for the workers of the cluster`, { reason: 'wrong_credential' });
  });
  hooks.routes.tap(name, (router) => {
    router.post(`${JOBS_PATH}/:id/:attempt`, async (ctx) => {
      const [, id = '', attempt = ''] = CALLBACK.exec(ctx.path) ?? [];
      const own = front();
      const job = own.find(id);
      const reception = openReception(ctx.req, Number(attempt));
      if (job === undefined || !own.begin(job, reception)) {
        ctx.status = 409;
        ctx.set('Connection', 'close');
        ctx.body = 'the job is over, or another worker has begun it\n';
        return;
      }
      ctx.state.isEndless = true;
      // The line of the client's request reports the result.
      ctx.state.isQuiet = true;
      ctx.respond = false;
      // The worker begins when it reads the status.
      ctx.res.writeHead(200, { [WAITED_HEADER]: String(Math.round(job.waitedMs())) }).flushHeaders();
      try {
        await reception.receive(job);
        ctx.res.end();
      } catch (error) {
        if (!job.isOver()) own.lose(job, reception, error);
        ctx.res.destroy();
      } finally {
        if (job.isOver() && job.attempt === reception) own.end(job);
      }
    });
  });
}

/** Digests have the same length: the time of the comparison says nothing about the secret. */
function isSame(secret: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(secret), digest(given));
}
