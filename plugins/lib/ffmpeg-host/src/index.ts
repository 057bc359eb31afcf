export { ADVICE, createFfmpegSource, FFMPEG, type Ffmpeg, type FfmpegSource } from './ffmpeg-source.js';
export { findFfmpeg, type FindOptions } from './find-ffmpeg.js';
