export { encodeVideo, withFfmpeg, type VideoJob } from './encode-video.js';
export { readFrames, type FrameSequence } from './frame-sequence.js';
export { formatArguments, requireFormat, type VideoCodec, type VideoFormat, type ReadyFormat } from './video-format.js';
export { H264 } from './h264.js';
export { colourFilter, pictureFilters } from './picture-filters.js';
export type { FfmpegRun } from './run-ffmpeg.js';
export { runToBuffer } from './run-to-buffer.js';
export { VIDEO_COLOURS, videoFilters } from './video.js';
