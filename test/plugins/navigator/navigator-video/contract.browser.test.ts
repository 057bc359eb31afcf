import { pluginContract } from '@platen/kernel/testing';
import ffmpeg from '@platen/plugin-ffmpeg';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import navigatorVideo from '@platen/plugin-navigator-video';
import { describe, it } from 'vitest';
import manifest from '../../../../plugins/navigator/navigator-video/package.json' with { type: 'json' };

describe('navigator-video', () => {
  for (const check of pluginContract({ plugin: navigatorVideo, manifest, companions: [models, navigate, ffmpeg] }))
    it(check.name, check.run);
});
