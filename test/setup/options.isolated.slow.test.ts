import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../server/setup/options.mjs';

describe('flags of the setup', () => {
  it('end at --then: what stands behind belongs to the file', () => {
    expect(parseOptions(['--quiet', '--then', 'cli.js', '--no-apt', 'https://x/', '-'])).toMatchObject({
      quiet: true,
      apt: true,
      then: 'cli.js',
      rest: ['--no-apt', 'https://x/', '-'],
    });
  });

  it('may come from the environment, for commands whose arguments are not the setup’s', () => {
    expect(parseOptions(['--quiet'], ' --no-apt  --embedded')).toMatchObject({ quiet: true, apt: false, embedded: true, then: undefined });
  });

  it('are off unless given', () => {
    expect(parseOptions([])).toEqual({
      quiet: false,
      apt: true,
      embedded: false,
      dryRun: false,
      fonts: false,
      ffmpeg: false,
      checkers: false,
      help: false,
      then: undefined,
      rest: [],
    });
  });

  it.each([['--bogus'], ['toString'], ['url']])('refuses %s, naming what there is', (flag) => {
    expect(() => parseOptions([flag])).toThrow(/unknown flag .*--no-apt/);
  });

  it('refuses --then without a file', () => {
    expect(() => parseOptions(['--then'])).toThrow('--then needs a file');
  });
});
