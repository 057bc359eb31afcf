import { H264, type VideoFormat } from '@platen/lib-ffmpeg';

/** Matroska (RFC 9559), with Duration and Cues. */
export const MKV: VideoFormat = { type: 'mkv', muxer: 'matroska', codecs: [H264] };
