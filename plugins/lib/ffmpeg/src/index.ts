export { encodeFilm, withFfmpeg, type FilmJob } from './encode-film.js';
export { readFrames, type Film } from './film.js';
export { formatArguments, requireFormat, type FilmCodec, type FilmFormat, type ReadyFormat } from './film-format.js';
export { H264 } from './h264.js';
export { colourFilter, pictureFilters } from './picture-filters.js';
export type { FfmpegRun } from './run-ffmpeg.js';
export { runToBuffer } from './run-to-buffer.js';
export { VIDEO_COLOURS, videoFilters } from './video.js';
