import type Sharp from 'sharp';

/** Pixels of the largest picture that is decoded: 16,383 squared, libvips's own default. */
export const MAX_INPUT_PIXELS = 16_383 ** 2;

let loading: Promise<typeof Sharp> | undefined;

/** Loads sharp with the first picture, not with the server's start. */
export function loadSharp(): Promise<typeof Sharp> {
  return (loading ??= importSharp());
}

async function importSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  // No picture is ever read twice; and one thread a picture, as encode slots already share the processors out.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
