import { describe, expect, it } from 'vitest';
import { listSwitches, type SwitchOptions } from '../../../kernel/src/browser/switches.js';

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

  it('leaves that out where the headless shell draws frames at command, since it does not start with both', () => {
    const extra = ['--enable-begin-frame-control'];
    expect(listSwitches({ ...PLAIN, extra })).not.toContain('--site-per-process');
    expect(listSwitches({ ...PLAIN, extra })).toContain('--enable-begin-frame-control');
    expect(listSwitches({ ...PLAIN, variant: 'full', extra })).toContain('--site-per-process');
  });
});
