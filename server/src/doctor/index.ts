import { CERTUTIL, isPlatenError, type Kernel } from '@platen/kernel';
import { boot, type Boot, findBroken } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import { explainError, withCause } from '../boot/explain-error.js';
import type { Fixes } from '../boot/fixes.js';
import type { Io } from '../boot/io.js';
import { fixOf } from '../boot/report-broken.js';
import { EXIT } from '../flags/exit-codes.js';
import { assertNoMore, UsageError } from '../flags/usage-error.js';
import type { Finding, FlagValues } from '../service/hooks.js';
import { servePlugins } from '../service/server-api.js';
import { cannotRender, checkBrowsers, tryRender } from './check-browsers.js';
import { checkDeclaredTools, checkTool, checkTools } from './check-tools.js';
import { checkFonts } from './check-fonts.js';
import { checkHost } from './check-host.js';
import { checkOutputs } from './check-outputs.js';
import { type DoctorReport, formatReport } from './report.js';

/**
 * `platen doctor [--json] [flags of a start]`: checks the host and reports what each missing part would enable. Changes nothing. Resolves
 * with 0 if something can be rendered, else with the exit code for an incomplete host.
 */
export async function runDoctor(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  const asJson = args.includes('--json');
  const plain = args.filter((arg) => arg !== '--json');
  const report = await boot(plain, io, catalog).then(
    (booted) => {
      assertNoMore(booted.positionals, '`platen doctor` accepts only flags');
      return check(booted, catalog);
    },
    (error: unknown) => checkUnbooted(error, catalog.fixes),
  );
  io.stdout.write(asJson ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report));
  return report.ready ? EXIT.ok : EXIT.host;
}

/** Checks everything that a render needs, as a start with the same flags would find it. */
async function check({ found, loaded, broken, flags, createKernel }: Boot, { asked: askOf, fixes }: Catalog): Promise<DoctorReport> {
  const enabled = new Set(loaded.map(({ definition }) => definition.name));
  const working = found.filter((plugin) => !findBroken(broken, plugin));
  const asking = working.filter(({ name }) => enabled.has(name));
  const asked = new Map(await Promise.all(asking.map(async (plugin) => [plugin.name, await askOf(plugin)] as const)));
  const whoAsks = (dependency: string) => [...asked.values()].map((names) => names.get(dependency)).find((folder) => folder !== undefined);
  const ffmpegPath = textOf(flags['ffmpeg-path']);
  const [host, browsers, fonts, tools, declared] = await Promise.all([
    checkHost(),
    checkBrowsers(textOf(flags['browser-path']), fixes),
    checkFonts(),
    checkTools({ imageFolder: whoAsks('sharp'), enabled: asking, ffmpegPath, fixes }),
    checkDeclaredTools({ loaded, found, asked, programs: ffmpegPath === undefined ? {} : { ffmpeg: ffmpegPath } }),
  ]);
  const hasBrowser = browsers.some(({ state }) => state === 'ok');
  const { rendered, services } = await checkKernel(createKernel, { hasBrowser, flags });
  const all = [...tools, ...declared];
  const authorities = flags['browser-ca-file'] === undefined ? [] : [await checkCertutil()];
  const findings = [
    ...[...host, ...browsers, ...authorities, ...rendered, fonts, ...services],
    ...all.map(({ finding }) => finding),
    ...checkBroken(broken, loaded),
  ];
  const blocked = blockedBy([...browsers.filter(() => !hasBrowser), ...rendered]);
  return {
    ready: blocked === undefined,
    findings,
    outputs: checkOutputs({ found: [...working, ...broken], enabled, asked, tools: all, blocked }),
  };
}

/** What a kernel with the flags of a start can do. A front of a cluster has services, and needs no browser. */
async function checkKernel(
  createKernel: Boot['createKernel'],
  { hasBrowser, flags }: Pick<Boot, 'flags'> & { readonly hasBrowser: boolean },
): Promise<{ readonly rendered: readonly Finding[]; readonly services: readonly Finding[] }> {
  let kernel: Kernel;
  try {
    kernel = createKernel();
  } catch (error) {
    return { rendered: [cannotRender(error)], services: [] };
  }
  try {
    const sandbox = flags['browser-no-sandbox'] === true ? 'off' : 'on';
    const rendered = hasBrowser ? [await tryRender(kernel, sandbox)] : [];
    return { rendered, services: await checkServices(kernel, flags) };
  } finally {
    await kernel.close(0);
  }
}

/** Plugins that were found and cannot be loaded: Platen skips them. */
function checkBroken(broken: Boot['broken'], loaded: Boot['loaded']): readonly Finding[] {
  return broken.map((plugin) => ({
    id: 'plugin',
    state: 'remark',
    text: `"${plugin.name}" is skipped: ${String(plugin.fault)}`,
    fix: fixOf(plugin, loaded),
    facts: { plugin: plugin.name, package: plugin.packageName, fault: plugin.fault },
  }));
}

/** Without it, no browser starts that is configured to trust private certificate authorities. */
async function checkCertutil(): Promise<Finding> {
  const finding = await checkTool(CERTUTIL, import.meta.url, {});
  return finding.state === 'ok' ? finding : { ...finding, state: 'missing', text: 'not found, but --browser-ca-file requires it' };
}

function textOf(flag: unknown): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}

/** If the plugins or flags prevent the start, the host is checked all the same. */
async function checkUnbooted(error: unknown, fixes: Fixes): Promise<DoctorReport> {
  if (error instanceof UsageError) throw error;
  const start: Finding = {
    id: 'start',
    state: 'missing',
    text: explainError(error).trim(),
    facts: { code: isPlatenError(error) ? error.code : null },
  };
  const [host, browsers, fonts] = await Promise.all([checkHost(), checkBrowsers(undefined, fixes), checkFonts()]);
  return { ready: false, findings: [start, ...host, ...browsers, fonts], outputs: [] };
}

function blockedBy(findings: readonly Finding[]): { readonly because: string; readonly fix?: string } | undefined {
  const blocking = findings.find(({ state }) => state === 'missing');
  if (blocking === undefined) return undefined;
  return {
    because: `${blocking.id.replaceAll('_', ' ')}: ${blocking.text.split('\n')[0] ?? ''}`,
    ...(blocking.fix === undefined ? {} : { fix: blocking.fix }),
  };
}

/** The plugins' own checks of services that flags name. Never rejects. */
export async function checkServices(kernel: Kernel, flags: FlagValues): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    const hooks = servePlugins({ kernel, flags, listen: ({ address }) => Promise.resolve(address) });
    await kernel.prepare();
    await hooks.examine.promise((finding) => void findings.push(finding));
    return findings;
  } catch (error) {
    const facts = { code: isPlatenError(error) ? error.code : null };
    return [...findings, { id: 'server', state: 'remark', text: isPlatenError(error) ? withCause(error) : String(error), facts }];
  }
}
