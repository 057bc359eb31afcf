import type { Page, TargetSession } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createBodies } from '../../../../plugins/capture/network/src/collect-bodies.js';
import type { PendingExchange } from '../../../../plugins/capture/network/src/pending-exchange.js';

const BODY = `<script>location.replace('/next')</script>`;

/** A target whose streams are refused, as those of a document are that is gone, and whose buffer has the body. */
function fakeTarget(): TargetSession {
  const session = {
    on: () => () => undefined,
    send: (method: string) =>
      method === 'Network.streamResourceContent'
        ? Promise.reject(new Error('there is no such request'))
        : Promise.resolve(method === 'Network.getResponseBody' ? { body: BODY, base64Encoded: false } : {}),
  };
  // No more of a target is asked for.
  return { ...session, kind: 'page', targetId: 'page', openSession: () => Promise.resolve(session) } as unknown as TargetSession;
}

/** A document of which some bytes came, and no end. */
function documentOf(target: TargetSession, headers: Readonly<Record<string, string>>): PendingExchange {
  const pending = { requestId: 'document', method: 'GET', target, response: { status: 200, headers }, seen: BODY.length };
  // No more of a request is asked for.
  return pending as unknown as PendingExchange;
}

it.each([
  ['of unknown length, which is streamed', {}],
  ['of known length', { 'content-length': String(BODY.length) }],
])('the body of a document %s is read at the end if the end of its load was not reported', async (_name, headers) => {
  await using spool = createSpool();
  const target = fakeTarget();
  // A page answers as its target does.
  const page = target as unknown as Page;
  const bodies = createBodies({ page, spool, wanted: true, limit: undefined, sessions: new WeakMap() });
  await Promise.all(bodies.follow(target));
  const pending = documentOf(target, headers);
  bodies.responded(pending, target);
  await bodies.settle(1000);
  const described = pending.body?.describe(pending.seen);
  expect(described).toMatchObject({ state: 'partial', bytes: BODY.length });
  expect(described && (await text(described.open()))).toBe(BODY);
});
