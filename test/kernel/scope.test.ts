import { definePlugin, type Plugin, type Scope } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createHooks } from '../../kernel/src/hooks.js';
import { createPluginHooks } from '../../kernel/src/plugin-hooks.js';
import { rig } from './pipeline-rig.js';

const HOOKS = ['beforeOpen', 'beforeNavigate', 'navigate', 'waitFor', 'beforeCapture', 'additionalAssets'] as const;
const OF_PNG = ['plan', 'validatePlan', ...HOOKS];
const OF_ODD = [...OF_PNG.slice(0, -1), 'capture', 'additionalAssets', 'encode'];

const DECLARED = {
  name: 'scoped',
  captures: [{ kind: 'other' }],
  outputs: [{ type: 'odd', from: 'other', contentType: 'text/plain', extension: 'txt' }],
  assets: [
    { key: 'with_har', name: 'har' },
    { key: 'with_other', name: 'other', from: 'other' },
  ],
  params: { with_har: { type: 'boolean' }, with_other: { type: 'boolean' }, wide: { type: 'boolean' }, tall: { type: 'boolean' } },
} as const;

/** A plugin that notes what of it runs, all of it with the same scope. */
function noting(scope: Scope | undefined, ran: string[]): Plugin {
  return definePlugin({
    ...DECLARED,
    ...(scope === undefined ? {} : { planFor: scope }),
    plan: () => void ran.push('plan'),
    validatePlan: () => void ran.push('validatePlan'),
    apply({ hooks }) {
      for (const hook of HOOKS) hooks[hook].tap({ name: 'scoped', for: scope }, () => void ran.push(hook));
      hooks.capture.for('other').tap({ name: 'scoped', for: scope }, () => {
        ran.push('capture');
        return 'captured';
      });
      hooks.encode.for('odd').tap({ name: 'scoped', for: scope }, () => {
        ran.push('encode');
        return { contentType: 'text/plain', extension: 'txt', body: Buffer.of() };
      });
    },
  });
}

describe('a scope', () => {
  it.each<[Scope | undefined, Record<string, unknown>, boolean]>([
    [undefined, {}, true],
    [{}, {}, false],
    [{ output: 'odd' }, {}, false],
    [{ output: 'odd' }, { output_type: 'odd' }, true],
    [{ capture: 'other' }, {}, false],
    [{ capture: 'other' }, { output_type: 'odd' }, true],
    [{ capture: 'other' }, { with_other: true }, true],
    [{ capture: 'other' }, { with_other: false }, false],
    [{ asset: 'with_har' }, {}, false],
    [{ asset: 'with_har' }, { with_har: false }, false],
    [{ asset: 'with_har' }, { with_har: true }, true],
    [{ param: 'wide' }, {}, false],
    [{ param: 'wide' }, { tall: true }, false],
    [{ param: 'wide' }, { wide: false }, true],
    [{ param: ['wide', 'tall'] }, { tall: true }, true],
    [{ output: 'odd', asset: 'with_har' }, { with_har: true }, true],
  ])('%j with the parameters %j: runs %s', async (scope, params, runs) => {
    const ran: string[] = [];
    await rig(noting(scope, ran)).run(params);
    const all = 'output_type' in params ? OF_ODD : OF_PNG;
    expect(ran).toEqual(runs ? all : []);
  });

  it('keeps the order of the stages', async () => {
    const ran: string[] = [];
    const plugin = definePlugin({
      ...DECLARED,
      apply({ hooks: { waitFor } }) {
        waitFor.tap({ name: 'scoped', stage: 10, for: { param: 'wide' } }, () => void ran.push('late'));
        waitFor.tap({ name: 'scoped', for: { param: 'tall' } }, () => void ran.push('absent'));
        waitFor.tap({ name: 'scoped', stage: -10 }, () => void ran.push('early'));
      },
    });
    await rig(plugin).run({ wide: true });
    expect(ran).toEqual(['early', 'late']);
  });

  it.each([
    [{ capture: 'probe' }, /plugin "scoped" has a scope for the capture "probe", which it does not declare/],
    [{ output: ['odd', 'png'] }, /for the output "png"/],
    [{ asset: 'wide' }, /for the asset "wide"/],
    [{ param: 'full_page' }, /for the param "full_page"/],
    [{ keys: 'wide' } as Scope, /for the keys "wide"/],
  ])('%j is refused at boot: the plugin does not declare it', (scope, message) => {
    const boot = () => {
      createPluginHooks(createHooks(), DECLARED).beforeOpen.tap({ name: 'scoped', for: scope }, () => undefined);
    };
    expect(boot).toThrow(expect.objectContaining({ code: 'boot_invalid_plugin', message: expect.stringMatching(message) as string }));
  });
});
