import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aptInstall, findOnPath } from '../../server/setup/apt.mjs';
import { openFakeClone, type FakeClone } from './fake-clone.js';

/** apt in a release that has a real chromium, a headless shell that is none, and no third. */
const POLICY = `chromium:
  Installed: (none)
  Candidate: 156.0.1-1~deb12u1
  Version table:
chromium-headless-shell:
  Installed: (none)
  Candidate: 2:1snap1-0ubuntu2
missing:
  Installed: (none)
  Candidate: (none)
`;

function withApt(clone: FakeClone, aptGet: string) {
  clone.write('bin/apt-get', `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> ${join(clone.root, 'log')}\n${aptGet}\n`, 0o755);
  clone.write('bin/apt-cache', `#!/bin/sh\ncat <<'E'\n${POLICY}E\n`, 0o755);
  return { ...process.env, PATH: `${join(clone.root, 'bin')}:${process.env['PATH'] ?? ''}` };
}

describe('system packages', () => {
  it('are updated, downloaded, then installed: only what the release has, without a question', async () => {
    using clone = openFakeClone();
    const environment = withApt(clone, 'exit 0');
    await expect(aptInstall(['chromium-headless-shell', 'chromium', 'missing'], environment)).resolves.toEqual({
      installed: ['chromium'],
      problem: '',
    });
    const calls = readFileSync(join(clone.root, 'log'), 'utf8').trim().split('\n');
    expect(
      calls.map(
        (call) =>
          /(update|--download-only|install)/.exec(
            call.replace('install -y --no-install-recommends --download-only', '--download-only'),
          )?.[0],
      ),
    ).toEqual(['update', '--download-only', 'install']);
    for (const call of calls) expect(call).toMatch(/^noninteractive .*DPkg::Lock::Timeout=\d+/);
    expect(calls[2]).toMatch(/ install -y --no-install-recommends chromium$/);
  });

  it('that the release lacks are named, with what kept apt from knowing better', async () => {
    using clone = openFakeClone();
    const { installed, problem } = await aptInstall(['missing'], withApt(clone, 'exit 100'));
    expect(installed).toEqual([]);
    expect(problem).toBe('this release has no package missing ("apt-get update": it ended with code 100)');
  });

  it('that cannot be fetched tell what apt said', async () => {
    using clone = openFakeClone();
    const { problem } = await aptInstall(['chromium'], withApt(clone, 'case "$*" in *download-only*) echo "E: no route"; exit 100;; esac'));
    expect(problem).toBe('"apt-get install chromium": it ended with code 100\nE: no route');
  });
});

it('finds a program as a shell would, and none where there is none', () => {
  using clone = openFakeClone();
  clone.write('bin/tool', '', 0o755);
  clone.write('bin/text', '', 0o644);
  expect(findOnPath('tool', `/nowhere::${join(clone.root, 'bin')}`)).toBe(join(clone.root, 'bin/tool'));
  expect(findOnPath('text', join(clone.root, 'bin'))).toBeUndefined();
});
