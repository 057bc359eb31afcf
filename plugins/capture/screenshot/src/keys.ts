import { contextKey } from '@platen/kernel';

/** The capture is a PNG for every output type: the browser's own encoder of another format is not used. Set before the capture. */
export const capturesLossless = contextKey<true>('screenshot: lossless capture');
