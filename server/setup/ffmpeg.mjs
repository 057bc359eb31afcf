import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, canUseApt, findOnPath } from './apt.mjs';
import { withNpmArchive } from './npm-archive.mjs';
import { SetupError } from './setup-error.mjs';

/** A build of 2018, without JPEG XL and animated AVIF: better than none. */
const PACKAGE = {
  name: '@ffmpeg-installer/linux-x64@4.1.0',
  integrity: 'sha512-Y5BWhGLU/WpQjOArNIgXD3z5mxxdV8c41C+U15nsE5yF8tVcdCGet5zPs5Zy3Ta6bU7haGpIzryutqCGQA/W8A==',
};

/** @returns {string | undefined} */
export function findFfmpeg(root, searchPath = process.env.PATH) {
  const own = join(root, '.runtime', 'ffmpeg', 'ffmpeg');
  return findOnPath('ffmpeg', searchPath) ?? (existsSync(own) ? own : undefined);
}

/** @returns {boolean} true if a plugin of the clone records video: otherwise the setup is complete without ffmpeg */
export function needsFfmpeg(root) {
  const families = readdirSync(join(root, 'plugins'));
  const plugins = families.flatMap((family) =>
    readdirSync(join(root, 'plugins', family)).map((name) => join(root, 'plugins', family, name, 'package.json')),
  );
  return plugins
    .filter((file) => existsSync(file))
    .some((file) => 'fluent-ffmpeg' in (JSON.parse(readFileSync(file, 'utf8')).dependencies ?? {}));
}

/** @param {{ root: string, apt: boolean, act: (text: string) => void }} setup */
export async function installFfmpeg({ root, apt, act }) {
  let failure = '';
  if (apt && canUseApt()) {
    act('installing ffmpeg from the system packages');
    const { problem } = await aptInstall(['ffmpeg']);
    if (problem === '') return;
    failure = `system packages: ${problem}\n`;
  }
  const advice = 'Install ffmpeg ("apt-get install ffmpeg", "brew install ffmpeg") so that it is found in PATH.';
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new SetupError(`${failure}npm has no ffmpeg for this platform`, advice);
  act('downloading the ffmpeg of the npm package (23 MB)');
  try {
    await withNpmArchive({ root, ...PACKAGE }, async (folder) => {
      mkdirSync(join(root, '.runtime', 'ffmpeg'), { recursive: true });
      const target = join(root, '.runtime', 'ffmpeg', 'ffmpeg');
      copyFileSync(join(folder, 'ffmpeg'), target);
      chmodSync(target, 0o755);
    });
  } catch (error) {
    throw new SetupError(`${failure}npm: ${error.message}`, advice);
  }
}
