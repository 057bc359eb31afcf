import { accessSync, constants, statSync } from 'node:fs';
import { definePlugin, PlatenError } from '@platen/kernel';
import { createFfmpegSource, FFMPEG } from '@platen/lib-ffmpeg-host';

export default definePlugin({
  name: 'ffmpeg',
  flags: {
    'ffmpeg-path': {
      type: 'string',
      description: 'Path of the ffmpeg executable. Default: the one in PATH, else the one that the setup downloaded.',
      minLength: 1,
      examples: ['/opt/ffmpeg/bin/ffmpeg'],
    },
  },
  apply({ hooks, options }) {
    const source = createFfmpegSource({ path: options['ffmpeg-path'] });
    hooks.beforeOpen.tap('ffmpeg', (context) => {
      context.set(FFMPEG, source);
    });
  },
  // A doctor examines a wrong path too: only a server does not start with it.
  serve(_server, { options }) {
    if (options['ffmpeg-path'] !== undefined) refuseNoProgram(options['ffmpeg-path']);
  },
});

/** A wrong path is a mistake of who starts the server, who then hears of it; whether the program is an ffmpeg shows when it is run. */
function refuseNoProgram(path: string): void {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return;
  } catch {
    // The same as a folder: no program.
  }
  throw new PlatenError('boot_invalid_flag', `--ffmpeg-path is not a program that can be run: ${path}`);
}
