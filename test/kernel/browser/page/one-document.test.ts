import { expect, it } from 'vitest';
import { createOneDocument } from '../../../../kernel/src/browser/page/one-document.js';
import type { ProtocolSession } from '../../../../kernel/src/browser/protocol/contract.js';

it('a document with many frames is read without a warning of Node about its listeners', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  // Of a session, it uses these.
  const session = { send: () => Promise.resolve({}), on: () => undefined } as unknown as ProtocolSession;
  const lifecycle = { onCommit: () => undefined, failed: new AbortController().signal };
  const { run, send } = createOneDocument(session, lifecycle, 'main');
  await run({ prepare: () => Promise.resolve(), read: () => Promise.all(Array.from({ length: 50 }, () => send('Page.enable'))) });
  // Warnings come with the next tick.
  await new Promise((resolve) => process.nextTick(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
