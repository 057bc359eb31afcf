import { describe, expect, it } from 'vitest';
import { listSwitches, screenSwitches, type SwitchOptions } from '../../../../kernel/src/browser/process/switches.js';

const PLAIN: SwitchOptions = {
  variant: 'shell',
  profileFolder: '/profile',
  userAgent: undefined,
  sandbox: true,
  sharedMemory: undefined,
  extra: [],
};

describe('listSwitches', () => {
  it('isolates sites by processes', () => {
    expect(listSwitches(PLAIN)).toContain('--site-per-process');
    expect(listSwitches({ ...PLAIN, extra: ['--force-device-scale-factor=2'] })).toContain('--site-per-process');
  });

  it('gives the browser the languages with their weights, which only the full one adds by itself', () => {
    expect(listSwitches(PLAIN)).toContain('--accept-lang=en-US,en;q=0.9');
    expect(listSwitches({ ...PLAIN, variant: 'full' })).toContain('--accept-lang=en-US,en');
  });

  it('gives it the screen of a render that says nothing of it; an exclusive browser has its render’s own, in device pixels', () => {
    expect(listSwitches(PLAIN)).toEqual(expect.arrayContaining(['--window-size=1280,720', '--screen-info={1280x720}']));
    expect(screenSwitches({ width: 301, height: 200, deviceScaleFactor: 1.5 })).toEqual([
      '--window-size=301,200',
      '--screen-info={452x300}',
    ]);
  });

  it('leaves out the processes where the headless shell draws frames at command, since it does not start with both', () => {
    const extra = ['--enable-begin-frame-control'];
    expect(listSwitches({ ...PLAIN, extra })).not.toContain('--site-per-process');
    expect(listSwitches({ ...PLAIN, extra })).toContain('--enable-begin-frame-control');
    expect(listSwitches({ ...PLAIN, variant: 'full', extra })).toContain('--site-per-process');
  });

  it('leaves them out where a browser is asked for that does not isolate sites', () => {
    const extra = ['--disable-site-isolation-trials'];
    for (const variant of ['shell', 'full'] as const) {
      expect(listSwitches({ ...PLAIN, variant, extra })).not.toContain('--site-per-process');
      expect(listSwitches({ ...PLAIN, variant, extra })).toContain('--disable-site-isolation-trials');
    }
  });

  it.each([
    ['--blink-settings=', 'middleClickPasteAllowed=true', 'middleClickPasteAllowed=false'],
    ['--disable-features=', 'SomeFeature', 'HttpsUpgrades'],
  ])('joins a second %s with its own, which comes last', (list, given, own) => {
    const switches = listSwitches({ ...PLAIN, extra: [`${list}${given}`] }).filter((one) => one.startsWith(list));
    expect(switches).toEqual([expect.stringMatching(`^${list}${given},.*${own}`)]);
  });
});
