import { extname } from 'node:path';
import type { Output } from '@platen/kernel';
import type { DownloadCapture } from './download-capture.js';

/** Passes the file through unchanged. */
export function encodeDownload({ name, contentType, size, data }: DownloadCapture): Promise<Output> {
  return Promise.resolve({ contentType, extension: extname(name).slice(1) || 'bin', filename: name, length: size, body: data });
}
