import { createSpool } from '@platen/lib-spool';
import type { WebSocketMessage } from '@platen/plugin-network';
import { expect, it } from 'vitest';
import { openSocketRecording } from '../../../../plugins/capture/network/src/pending-exchange.js';

const message = (data: string) => ({ direction: 'receive', time: 1, opcode: 1, data }) as const;

it('a message of more than 16 Mi characters is there without its data, and those after it are whole', async () => {
  await using spool = createSpool();
  const recording = openSocketRecording(spool, 100);
  for (const data of ['first', 'x'.repeat(2 ** 24 + 1), 'last']) recording.add(message(data));
  const { messages, omitted, read } = recording.describe();
  expect({ messages, omitted }).toEqual({ messages: 3, omitted: 0 });
  const kept: WebSocketMessage[] = [];
  for await (const one of read()) kept.push(one);
  expect(kept).toEqual([message('first'), { ...message(''), omittedCharacters: 2 ** 24 + 1 }, message('last')]);
});
