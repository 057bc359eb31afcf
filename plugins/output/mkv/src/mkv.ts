import { H264, type FilmFormat } from '@platen/lib-ffmpeg';

/** Matroska (RFC 9559), with Duration and Cues. */
export const MKV: FilmFormat = { type: 'mkv', muxer: 'matroska', codecs: [H264] };
