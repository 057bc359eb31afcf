import { definePlugin } from '@platen/kernel';
import { createFfmpegSource, FFMPEG } from '@platen/lib-ffmpeg-host';

export default definePlugin({
  name: 'ffmpeg',
  flags: {
    'ffmpeg-path': {
      type: 'string',
      description: 'Path of the ffmpeg to run. Without it Platen takes the one in PATH, else the one that its set-up got.',
      minLength: 1,
      examples: ['/opt/ffmpeg/bin/ffmpeg'],
    },
  },
  apply({ hooks, options }) {
    const source = createFfmpegSource({ path: options['ffmpeg-path'] });
    hooks.beforeNavigate.tap('ffmpeg', (context) => {
      context.set(FFMPEG, source);
    });
  },
});
