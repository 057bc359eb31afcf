import { createKernel, type DiscoveredPlugin, discoverPlugins, type ExplainedHook, loadPlugins, selectPlugins } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { neededPlugins } from '../../../server/src/boot/needed-plugins.js';
import { ROOT } from '../../architecture/workspaces.js';

const found = await discoverPlugins({ installation: ROOT, operatorDir: ROOT });
const NOTHING = { environment: {}, config: { values: {}, lines: new Map<string, number>() } };
const needed = (args: readonly string[], given: Partial<Parameters<typeof neededPlugins>[1]> = {}) =>
  neededPlugins(found, { args, ...NOTHING, ...given });

/** They offer something to plugins that require them, and do nothing else. */
const OFFERING: readonly string[] = ['ffmpeg', 'network'];

async function openKernel(only?: readonly string[]) {
  const { enabled, absent } = selectPlugins(found, { only });
  const { loaded } = await loadPlugins(enabled);
  const kernel = createKernel({ plugins: loaded, absent });
  const explain = (params: Readonly<Record<string, unknown>>) => {
    const plan = kernel.plan(kernel.validate({ url: 'https://example.com/', ...params }, 'flags'));
    const hooks = kernel.explain(plan).map(({ name, taps }: ExplainedHook) => ({
      name,
      taps: taps.map(({ plugin }) => plugin).filter((plugin) => !OFFERING.includes(plugin) || only?.includes(plugin) === true),
    }));
    return { plan: { ...plan, params: undefined }, hooks };
  };
  return { kernel, explain, outputs: loaded.flatMap(({ definition }) => definition.outputs ?? []) };
}

describe('the plugins that a single render needs', async () => {
  const all = await openKernel();

  it('are few', () => {
    expect(needed(['https://example.com'])?.length).toBeLessThan(15);
  });

  it.each(all.outputs.map(({ type, extension }) => [type, extension]))(
    'make the same plan with the same taps: %s',
    async (type, extension) => {
      for (const args of [[`a.${extension}`], [`a.${type}`], ['--output-type', type], [`--output-type=${type}`]]) {
        const only = needed(['https://example.com', ...args]);
        if (only === undefined) return;
        const few = await openKernel(only);
        const params = { output_type: type };
        const describeBy = ({ explain }: typeof few) => {
          try {
            return explain(params);
          } catch (error) {
            // It needs a key of its own.
            return String(error);
          }
        };
        expect(describeBy(few), args.join(' ')).toEqual(describeBy(all));
      }
    },
  );

  it('are the owners of what is given, too', () => {
    const owner = ({ name }: DiscoveredPlugin) => name;
    for (const plugin of found.filter(({ needsAll }) => needsAll !== true)) {
      for (const key of plugin.keys) {
        expect(needed(['https://example.com', `--${key.replaceAll('_', '-')}`]), key).toContain(owner(plugin));
        expect(needed(['https://example.com', `--no-${key.replaceAll('_', '-')}=x`]), key).toContain(owner(plugin));
      }
      for (const flag of plugin.flags) {
        const variable = `PLATEN_${flag.replaceAll('-', '_').toUpperCase()}`;
        expect(needed(['https://example.com'], { environment: { [variable]: '1' } }), flag).toContain(owner(plugin));
        expect(needed(['https://example.com'], { config: { ...NOTHING.config, values: { [flag]: 1 } } }), flag).toContain(owner(plugin));
      }
    }
  });

  it.each(['HTTP_PROXY', 'https_proxy', 'ALL_PROXY'])('are those that act by %s only where it is set', (name) => {
    expect(needed(['https://example.com'])).not.toContain('proxy');
    expect(needed(['https://example.com'], { environment: { [name]: '' } })).not.toContain('proxy');
    expect(needed(['https://example.com'], { environment: { [name]: 'http://127.0.0.1:1' } })).toContain('proxy');
  });

  it.each([
    ['an unknown option', ['https://example.com', '--widht', '5']],
    ['a report on all', ['https://example.com', '--diagnostics']],
    ['a model, which providers offer', ['https://example.com', '--navigate', 'click']],
    ['a type of such a plugin', ['https://example.com', '--output-type', 'llm_json']],
    ['a secret from a pipe', ['https://example.com', '--license-key', '@/dev/fd/3']],
    ['no URL in front', ['--full-page', 'https://example.com']],
    ['a log', ['https://example.com', '--log-level', 'debug']],
    ['nothing', []],
  ])('are all with %s', (_what, args) => {
    expect(needed(args)).toBeUndefined();
  });

  it('are all with a plugin that is not Platen’s own, or an unknown variable', () => {
    const foreign = found.map((plugin, at) => (at === 0 ? { ...plugin, isOwn: false } : plugin));
    expect(neededPlugins(foreign, { args: ['https://example.com'], ...NOTHING })).toBeUndefined();
    expect(needed(['https://example.com'], { environment: { PLATEN_SERVR: '1' } })).toBeUndefined();
  });
});
