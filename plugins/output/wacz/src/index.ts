import { definePlugin } from '@platen/kernel';

const TYPE = 'wacz';
const FORM = { contentType: 'application/wacz', extension: 'wacz' } as const;

/** The pages of a walk in one file that replays: WACZ 1.1.1. */
export default definePlugin({
  name: 'wacz',
  requires: ['walk'],
  outputs: [{ type: TYPE, from: 'walk', ...FORM }],
  apply({ hooks }) {
    hooks.encode.for(TYPE).tapPromise('wacz', async (walk, { clock }) => {
      const { openWacz } = await import('./write-wacz.js');
      return { body: openWacz(walk, clock) };
    });
  },
});
