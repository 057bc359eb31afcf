import type Sharp from 'sharp';

/** Pixels of the largest image that is decoded: 16,383 squared, libvips's own default. */
export const MAX_INPUT_PIXELS = 16_383 ** 2;

let loading: Promise<typeof Sharp> | undefined;

/** Loads sharp with the first image, not at the server's start. */
export function loadSharp(): Promise<typeof Sharp> {
  return (loading ??= importSharp());
}

async function importSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  // No cache, because no image is read twice; one thread per image, because the encode slots already divide the processors.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
