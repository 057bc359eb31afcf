import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../server/setup/node-version.mjs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('the check of the Node version', () => {
  it('is written for the range of package.json', () => {
    expect(engines.node).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
  });

  it.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '24.0.0', '24.21.0', '26.1.0'])('lets %s pass', (version) => {
    expect(() => {
      checkNode(version);
    }).not.toThrow();
  });

  it.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.0'])('refuses %s, saying what to install', (version) => {
    expect(() => {
      checkNode(version);
    }).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`this is Node ${version}`),
        advice: expect.stringContaining('nodejs.org'),
      }),
    );
  });
});
