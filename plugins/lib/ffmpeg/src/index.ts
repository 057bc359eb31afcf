export { encodeVideo, withFfmpeg, type VideoJob } from './encode-video.js';
export { readFrames, type FrameSequence } from './frame-sequence.js';
export { formatArguments, requireFormat, type VideoCodec, type VideoFormat, type ReadyFormat } from './video-format.js';
export { runToBuffer, type FfmpegRun } from './run-ffmpeg.js';
export { colorFilter, frameFilters, H264, VIDEO_COLORS, videoFilters } from './video-filters.js';
