export { encodeVideo, withFfmpeg, type VideoJob } from './encode-video.js';
export { readFrames, type FrameSequence } from './frame-sequence.js';
export { formatArguments, openFormat, requireFormat, type VideoCodec, type VideoFormat, type ReadyFormat } from './video-format.js';
export { runToBuffer, type FfmpegRun } from './run-ffmpeg.js';
export { colorFilter, frameFilters, H264, VIDEO_COLORS, videoFilters, VP8, VP9 } from './video-filters.js';
