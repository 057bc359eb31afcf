import { H264 } from '@platen/lib-ffmpeg';
import { createEncoder, defineVideo, type Video } from './define-video.js';

/** Matroska (RFC 9559), with Duration and Cues. */
const MKV: Video = { type: 'mkv', contentType: 'video/matroska', muxer: 'matroska', codecs: [H264] };

export default defineVideo(MKV);

export const encodeMkv = createEncoder(MKV);
