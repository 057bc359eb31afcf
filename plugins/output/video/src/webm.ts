import { VP8, VP9 } from '@platen/lib-ffmpeg';
import { createEncoder, defineVideo, type Video } from './define-video.js';

/** WebM with Duration and Cues. */
const WEBM: Video = { type: 'webm', contentType: 'video/webm', muxer: 'webm', codecs: [VP9, VP8] };

export default defineVideo(WEBM);

export const encodeWebm = createEncoder(WEBM);
