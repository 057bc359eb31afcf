import { aptInstall, canUseApt, findOnPath } from './apt.mjs';

/** Programs that the tests use to check rendered output, each with its Debian package. Platen itself needs none of them. */
export const CHECKERS = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  convert: 'imagemagick',
  identify: 'imagemagick',
  avifdec: 'libavif-bin',
  cjxl: 'libjxl-tools',
  djxl: 'libjxl-tools',
  jxlinfo: 'libjxl-tools',
  tiffinfo: 'libtiff-tools',
  webpinfo: 'webp',
  gifsicle: 'gifsicle',
  mkvinfo: 'mkvtoolnix',
  qpdf: 'qpdf',
  pdfinfo: 'poppler-utils',
  pdffonts: 'poppler-utils',
  pdfimages: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  mutool: 'mupdf-tools',
  openssl: 'openssl',
  certutil: 'libnss3-tools',
  promtool: 'prometheus',
  python3: 'python3',
  unzip: 'unzip',
  wget: 'wget',
  'redis-server': 'redis-server',
  // `go tool pprof`: no smaller package reads profiles of that form (450 MB installed).
  go: 'golang-go',
};

/** @returns {readonly string[]} packages of the programs that are not in PATH */
function missingPackages(searchPath = process.env.PATH) {
  const names = Object.keys(CHECKERS).filter((name) => findOnPath(name, searchPath) === undefined);
  return [...new Set(names.map((name) => CHECKERS[name]))];
}

/**
 * A checker that cannot be installed does not fail the setup: the tests that need it fail and report it.
 * @param {{ checkers: boolean, apt: boolean, act: (text: string) => void, warn: (text: string) => void }} setup
 */
export function checkersStep({ checkers, apt, act, warn }) {
  let tried = false;
  return {
    name: 'checkers',
    advice: 'Install them by hand.',
    async look() {
      if (!checkers) return {};
      const packages = missingPackages();
      if (packages.length === 0) return { found: 'checkers: all found' };
      const what = `checkers of the tests: missing ${packages.join(', ')}`;
      if (apt && canUseApt() && !tried) return { missing: what };
      const why = tried ? '' : '; the setup installs them as root on Debian and Ubuntu';
      return { warning: `${what}: the tests that need them will fail${why}` };
    },
    async fix(missing) {
      act(`${missing}: installing them from the system packages`);
      tried = true;
      const { problem } = await aptInstall(missingPackages());
      if (problem !== '') warn(`checkers: ${problem}`);
    },
  };
}
