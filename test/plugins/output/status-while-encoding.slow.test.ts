import { NO_ASSETS } from '@platen/kernel';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeAvif } from '../../../plugins/output/image/src/avif.js';
import { openServer, type TestServer } from '../../server/test-server.js';
import { openContext } from './videos.js';

const AT_ONCE = 8;
const WIDTH = 1920;
const HEIGHT = 1080;

let server: TestServer;
let png: Buffer;

beforeAll(async () => {
  // Noise: an encoder has most to do with it.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  png = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: 'grey', noise } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  server = await openServer({
    // The browser's part is over: each render encodes a picture that is there.
    render: async (_plan, { signal }) => {
      const capture = { format: 'png', data: png, width: WIDTH, height: HEIGHT } as const;
      const { body } = await encodeAvif(capture, openContext(signal === undefined ? {} : { signal }).context);
      return { output: { contentType: 'image/avif', extension: 'avif', body }, assets: NO_ASSETS, headers: {}, timings: {} };
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

it('GET /status answers while eight AVIFs are encoded at once: no encoder holds the event loop', async () => {
  let encoded = 0;
  const encoding = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const response = await server.get('url=http://a.test/');
      const { length } = Buffer.from(await response.arrayBuffer());
      encoded += 1;
      return [response.status, response.headers.get('content-type'), length > 10_000];
    }),
  );
  /** How many pictures were done when each answer came; one request at a time. */
  const doneAt: number[] = [];
  let mostInFlight = 0;
  while (encoded < AT_ONCE) {
    const { in_flight }: { in_flight: number } = await (await fetch(`${server.url}/status`)).json();
    mostInFlight = Math.max(mostInFlight, in_flight);
    doneAt.push(encoded);
  }
  expect(await encoding).toEqual(Array(AT_ONCE).fill([200, 'image/avif', true]));
  expect(mostInFlight).toBe(AT_ONCE);
  // An encoder on the event loop would let an answer or two through between two pictures.
  const before = doneAt.filter((done) => done < AT_ONCE).length;
  expect(before).toBeGreaterThan(AT_ONCE * 10);
  expect(doneAt.filter((done) => done === 0).length).toBeGreaterThan(10);
});
