import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { rig } from './pipeline-rig.js';

it('what was put off to the end of the render runs once its output is read, or once it has failed', async () => {
  const { events, hooks, run } = rig();
  hooks.beforeNavigate.tap('keeper', (context) => {
    context.onRenderEnd(() => (events.push('first end'), Promise.reject(new Error('logged, and nobody else is hindered'))));
    context.onRenderEnd(() => (events.push('second end'), Promise.resolve()));
  });
  await run();
  await vi.waitUntil(() => events.includes('second end'));
  expect(events.slice(-3)).toEqual(['encode captured', 'first end', 'second end']);

  const streamed = rig();
  streamed.hooks.beforeNavigate.tap('keeper', ({ onRenderEnd }) => {
    onRenderEnd(() => (streamed.events.push('end'), Promise.resolve()));
  });
  streamed.hooks.capture.for('stream').tap('film', () => 'frames');
  streamed.hooks.encode.for('film').tap('film', () => ({ contentType: 'video/webm', extension: 'webm', body: Readable.from(['film']) }));
  const { output } = await streamed.run({ output_type: 'film' });
  expect(streamed.events).not.toContain('end');
  await text(output.body as Readable);
  await vi.waitUntil(() => streamed.events.includes('end'));

  const failing = rig();
  failing.lease.tab.page.goto = () => Promise.reject(new Error('no'));
  failing.hooks.beforeNavigate.tap('keeper', ({ onRenderEnd }) => {
    onRenderEnd(() => (failing.events.push('end'), Promise.resolve()));
  });
  await expect(failing.run()).rejects.toThrow();
  expect(failing.events.slice(-2)).toEqual(['closed', 'end']);

  const unopened = rig();
  unopened.pool.open = () => Promise.reject(new Error('no browser'));
  unopened.hooks.beforeOpen.tap('keeper', ({ onRenderEnd }) => {
    onRenderEnd(() => (unopened.events.push('end'), Promise.resolve()));
  });
  await expect(unopened.run()).rejects.toThrow('no browser');
  expect(unopened.events).toEqual(['end']);
});
