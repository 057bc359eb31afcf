import type { ToolDeclaration } from '@platen/kernel';
import { encodeSlots } from '@platen/lib-raster';
import { encodeByCjxl } from './encode-by-cjxl.js';
import { encodeByFfmpeg } from './encode-by-ffmpeg.js';
import { encodeByWasm, MAX_WASM_PIXELS } from './encode-by-wasm.js';
import type { EncodeJxl } from './jxl-settings.js';

/** The programs and the package that can encode JPEG XL, fastest first (README). */
export const JXL_ENCODERS = {
  id: 'jpeg_xl_encoder',
  candidates: [
    { name: 'cjxl', command: ['cjxl', '--version'], prints: '^cjxl v?(\\S+)' },
    { name: 'ffmpeg with libjxl', command: ['ffmpeg', '-hide_banner', '-encoders'], prints: '^ V\\S+ libjxl ' },
    { name: '@jsquash/jxl', package: '@jsquash/jxl' },
  ],
  fix: 'apt-get install libjxl-tools',
  from: import.meta.url,
} as const satisfies ToolDeclaration;

export type JxlEncoderName = (typeof JXL_ENCODERS)['candidates'][number]['name'];

export interface JxlMethod {
  readonly encode: EncodeJxl;
  /** Pixels of the largest image. */
  readonly maxPixels: number;
}

export const JXL_METHODS: Readonly<Record<JxlEncoderName, JxlMethod>> = {
  cjxl: { encode: inSlot(encodeByCjxl), maxPixels: Infinity },
  'ffmpeg with libjxl': { encode: inSlot(encodeByFfmpeg), maxPixels: Infinity },
  '@jsquash/jxl': { encode: encodeByWasm, maxPixels: MAX_WASM_PIXELS },
};

/** A program beside this process uses a processor like any other encoder. */
function inSlot(encode: EncodeJxl): EncodeJxl {
  return (png, options) => encodeSlots.run(() => encode(png, options), options.signal);
}
