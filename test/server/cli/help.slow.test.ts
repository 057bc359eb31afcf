import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';
import { runCli } from '../../helpers/run-cli.js';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(cwd, { recursive: true }));

const run = (...args: readonly string[]) => callCli(args, { cwd });

describe('help', () => {
  it('offers commas only for lists that are split at them: secrets may hold some', async () => {
    const flags = String((await run('help', 'flags')).stdout);
    expect(flags).toContain('  --server-token-auth <string>\n');
    expect(flags).toContain('  --plugins <string>,...\n');
    expect(flags).toContain('lists of secrets only by repeating it');
  });

  it('comes without arguments, with --help, and with help', async () => {
    const [none, flag, word] = await Promise.all([run(), run('--help'), run('help')]);
    expect(none.code).toBe(0);
    expect(String(none.stdout)).toMatch(/Usage[^]*Commands[^]*--emulate-dark-mode[^]*Examples/);
    expect(flag.stdout).toEqual(none.stdout);
    expect(word.stdout).toEqual(none.stdout);
  });

  it('fits a screen, with a line for each section of the interface specification', async () => {
    const lines = String((await runCli(['--help'], { cwd, env: { npm_lifecycle_event: 'start' } })).stdout)
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(41);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const specified = ['target', 'emulation', 'output', 'image', 'pdf', 'markdown', 'llm', 'archive', 'navigator', 'profiles', 'assets'];
    const sections = [...specified, 'documents', 'preparation', 'network', 'data', 'repeat'];
    const at = sections.map((name) => lines.findIndex((line) => line.startsWith(`  ${name} `)));
    expect(at).toEqual(sections.map((_, index) => (at[0] ?? 0) + index));
    expect(lines.join('\n')).not.toContain('tier');
  });

  it('is the long one with all: every key, every flag, exit codes', async () => {
    const [flag, word] = await Promise.all([run('--help', 'all'), run('help', 'all')]);
    expect(String(flag.stdout)).toMatch(/Usage[^]*Examples[^]*Exit codes[^]*--with-trace[^]*--server-bind-port[^]*PLATEN_SERVER_BIND_PORT/);
    expect(word.stdout).toEqual(flag.stdout);
  });

  it('shows examples and words of the program as it was called', async () => {
    const text = String((await run('--help')).stdout);
    expect(text).toMatch(/^Usage: node \S+cli\.js URL \[FILE\]/m);
    expect(text).toContain('phone.webp');
    const less = String((await run('--help', '--plugins', 'pdf')).stdout);
    expect(less).toContain('page.pdf');
    expect(text).toMatch(/site\.wacz --crawl-links +# a crawl: 1 page a second per host$/m);
    expect(less).not.toMatch(/phone\.webp|png|crawl/);
  });

  it.each([['--help=true'], ['-h', '--nonsense'], ['http://a.test/', '--help'], ['--help', '--log-level', 'loud']])(
    'comes whatever stands beside it: %s',
    async (...args) => {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(String(stdout)).toMatch(/^Platen renders web pages\.[^]*Examples/);
    },
  );

  it.each([
    ['plugins', ['-h']],
    ['config', ['--json', '--help']],
    ['healthcheck', ['http://127.0.0.1:1', '--help']],
    ['doctor', ['--plugin', './nowhere', '--help']],
  ])('of %s is its own, behind it and behind help', async (command, rest) => {
    const own = await run(command, ...rest);
    expect({ code: own.code, stderr: own.stderr }).toEqual({ code: 0, stderr: '' });
    expect(String(own.stdout)).toMatch(new RegExp(`^Usage\\n  platen ${command} \\[[^]*\\.`));
    expect(String(own.stdout)).not.toContain('Examples');
    const asked = String((await run('help', command)).stdout);
    expect(asked.startsWith(String(own.stdout))).toBe(true);
    const flag = (await run('help', `--${command}`)).stdout;
    expect(asked.slice(own.stdout.length)).toBe(flag.length === 0 ? '' : `\n${String(flag)}`);
  });

  it('of a name that is both a command and a flag has both', async () => {
    const both = String((await run('help', 'config')).stdout);
    expect(both).toMatch(/^Usage\n {2}platen config [^]*\n\n {2}--config <string>\n/);
    expect((await run('help', 'docter')).stderr).toContain('did you mean "doctor"?');
  });

  it('--help=false is none, and behind -- it is a file', async () => {
    expect((await run('--version', '--help=false')).stdout.toString()).toBe('0.1.0\n');
    expect((await run('http://a.test/', '--', '--help')).stderr).toMatch(/"--help" has no extension/);
  });

  it('is about the plugins that the command line chooses', async () => {
    const root = new URL('../../..', import.meta.url).pathname;
    const help = async (...args: readonly string[]) => String((await callCli(args, { cwd: root })).stdout);
    expect(await help('--plugins', 'png', '--help')).not.toContain('--wait-for');
    const added = await help('--plugins', 'png,ppm', '--plugin', 'plugin-template', '--help');
    expect(added).toMatch(/\n {2}ppm +--ppm-[^\n]*\n\n/);
    expect(await help('help', 'keys', '--plugins', 'ppm', '--plugin', 'plugin-template')).toMatch(/\n\nPlugin "ppm"\n {2}ppm_[^]*\n$/);
  });

  it('comes also where a plugin cannot be had, and says so', async () => {
    const { code, stdout, stderr } = await run('--plugin', './nowhere', '--help');
    expect(code).toBe(0);
    expect(String(stdout)).toContain('--output-type');
    expect(stderr).toMatch(/^platen: --plugin "\.\/nowhere" names neither/);
  });

  it('help FLAG has one flag', async () => {
    const one = String((await run('help', 'server-bind-port')).stdout);
    expect(one).toMatch(/^ {2}--server-bind-port <integer>\n[^]*PLATEN_SERVER_BIND_PORT\)\n$/);
    expect(String((await run('help', '--server-bind-port')).stdout)).toBe(one);
    expect(String((await run('help', 'help')).stdout)).not.toContain('PLATEN_');
  });

  it('help keys has every key of the enabled plugins, help KEY one', async () => {
    const keys = String((await run('help', 'keys')).stdout);
    expect(keys).toContain('  output_type ');
    for (const key of ['url', 'wait_for', 'full_page', 'emulate_timezone', 'diagnostics']) expect(keys).toContain(`  ${key}`);
    expect(String((await run('help', '--wait-for')).stdout)).toMatch(/^ {2}wait_for <string>\n/);
  });

  it('help keys follows the sections of the interface specification, target first', async () => {
    const keys = String((await run('help', 'keys')).stdout);
    expect(keys.match(/^[A-Z].*$/gm)?.slice(1)).toEqual([
      ...['Target and browser', 'Emulation', 'Output selection', 'Image and video output', 'PDF output', 'Markdown output'],
      ...['Language-model output', 'Accessibility tree, HAR, archive, crawl', 'Navigator', 'Profiles, traces, storage'],
      ...['Additional assets', 'Supplied documents', 'Preparation', 'Network', 'Data output', 'Replay, comparison, frozen pages'],
    ]);
    expect(keys).toMatch(/Target and browser\n {2}url [^]*\n {2}full_page [^]*\n {2}wait_for [^]*\n {2}diagnostics [^]*\n\nEmulation\n/);
  });

  it('help SECTION has its keys, and a plugin of that name beside them', async () => {
    const emulation = String((await run('help', 'emulation')).stdout);
    expect(emulation).toMatch(/^Emulation\n {2}emulate_dark_mode /);
    expect(emulation).not.toContain('Plugin');
    const markdown = String((await run('help', 'markdown')).stdout);
    expect(markdown).toMatch(/^Markdown output\n[^]*\n\nPlugin "markdown"/);
    expect(markdown.match(/^ {2}markdown_format /gm)).toHaveLength(1);
  });

  it('names tiers only where a license decides', async () => {
    const topics = ['keys', 'flags', 'remove_modals', 'server-cache'];
    const texts = async (...more: readonly string[]) =>
      await Promise.all(topics.map(async (topic) => String((await run('help', topic, ...more)).stdout)));
    for (const text of await texts()) expect(text).not.toContain('tier');
    for (const text of await texts('--license-public-key', 'x')) expect(text).toMatch(/tier (?:pro|enterprise)/);
    const { stdout } = await callCli(['help', 'remove_modals'], { cwd, env: { PLATEN_LICENSE_PUBLIC_KEY: 'x' } });
    expect(String(stdout)).toContain('tier pro');
  });

  it('help device lists the presets with their sizes, and help keys says so', async () => {
    const device = String((await run('help', 'device')).stdout);
    expect(device).toMatch(/^ {2}device <string>\n[^]*\n {6}iPhone 15 +393x659@3 {2,}iPhone 15 landscape +734x343@3\n/);
    expect(Math.max(...device.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(String((await run('help', 'keys')).stdout).replaceAll(/\s+/g, ' ')).toContain('`platen help device` lists them');
  });

  it.each([
    [
      'har',
      [/^Plugin "har" /, '--output-type har', 'application/json; file extension .har', 'har, by --with-har', '  har_capture_bodies <'],
    ],
    ['pprof_cpu', [/^Plugin "pprof" /, 'file extension .cpu.pb.gz, .cpu.pb', '  pprof_no_gzip <']],
    ['jxl', [/^Plugin "jpegxl" /, '--output-type jpegxl, also jxl']],
    ['egress', [/^Plugin "egress" .*\n {6}Restricts the addresses/, '  --block-private-ips\n', 'PLATEN_IP_BLOCKLIST']],
    ['storage', [/^Plugin "storage" /, '  --storage <string>', '  storage_limit <integer>']],
    ['license', [/^Usage\n {2}platen license/]],
    ['assets', [/^Additional assets accompany/, '  with_har <', '  with_storage <', '  with_axtree json|true|text|false']],
  ] as const)('help %s says what it is, and its keys and flags', async (topic, expected) => {
    const { code, stdout } = await run('help', topic);
    expect(code).toBe(0);
    for (const part of expected) expect(String(stdout)).toMatch(part);
  });

  it('help knows names that are nearly those of plugins, and those of plugins that are not there', async () => {
    expect((await run('help', 'egres')).stderr).toContain('did you mean "egress"?');
    expect((await run('help', 'har', '--disable-plugins', 'har')).stderr).toContain('"har"');
  });

  it('--version and plugins', async () => {
    expect(String((await run('--version')).stdout)).toBe('0.1.0\n');
    const plugins = String((await run('plugins', '--disable-plugins', 'webp')).stdout);
    expect(plugins).toMatch(/^png 0\.1\.0 {2}@platen\/plugin-png\n {4}outputs {2}png$/m);
    expect(plugins).toMatch(/^webp 0\.1\.0 \(disabled\)/m);
  });
});
