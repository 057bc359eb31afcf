import { describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';

const URL = 'https://example.com/';

async function explain(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await callCli(['explain', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.toString();
}

interface Explained {
  readonly plan: { readonly params: readonly string[]; readonly output: { readonly type: string }; readonly profile: object };
  readonly hooks: readonly { readonly name: string; readonly taps: readonly { readonly plugin: string; readonly file: string }[] }[];
}

async function explainJson(...args: readonly string[]): Promise<Explained & { pluginsOf(hook: string): readonly string[] }> {
  const explained = JSON.parse(await explain(...args, '--json')) as Explained;
  const pluginsOf = (hook: string) => explained.hooks.find(({ name }) => name === hook)?.taps.map(({ plugin }) => plugin) ?? [];
  return { ...explained, pluginsOf };
}

describe('platen explain', () => {
  it('prints the plan, and the hooks with plugins and files in the order of the render', async () => {
    const pdf = await explain(URL, 'page.pdf', '--browser-width', '900');
    expect(pdf).toMatch(/^Plan\n {2}output +pdf \(application\/pdf\)\n {2}capture +print, streamed/);
    expect(pdf).toMatch(/viewport +900 x 720/);
    expect(pdf).toMatch(/encode\.pdf +pdf +plugins\/output\/pdf\/src\/index\.ts:\d+\n/);
    expect(pdf).toMatch(/navigate [^]*\(the kernel loads the URL, unless a tap navigates\)\n/);
    const names = (await explainJson(URL)).hooks.map(({ name }) => name);
    const before = ['plan', 'validatePlan', 'beforeOpen', 'beforeNavigate', 'navigate', 'waitFor', 'interact', 'beforeCapture'];
    expect(names).toEqual([...before, 'capture.screenshot', 'additionalAssets', 'captured.screenshot', 'encode.png', 'encoded']);
  });

  it('names the plugins that a parameter wakes, and no others', async () => {
    const [plain, waiting] = [await explainJson(URL), await explainJson(URL, '--wait-for', 'css:h1', '--with-har', '--remove-modals')];
    expect(plain.pluginsOf('waitFor')).not.toContain('wait');
    expect(plain.pluginsOf('beforeCapture')).not.toContain('modals');
    expect(waiting.pluginsOf('waitFor')).toContain('wait');
    expect(waiting.pluginsOf('beforeCapture')).toContain('modals');
    expect(waiting.pluginsOf('additionalAssets')).toContain('har');
  });

  it('shows no values of parameters', async () => {
    const args = [URL, '--header', 'Authorization: Bearer canary'];
    expect((await explainJson(...args)).plan.params).toContain('header');
    expect(`${await explain(...args)}${JSON.stringify(await explainJson(...args))}`).not.toContain('canary');
  });

  it.each([
    [[], 'a URL is missing'],
    [[URL, '--browser-width', 'wide'], 'browser_width'],
    [[URL, 'page.xyz'], 'no enabled plugin creates ".xyz" files'],
  ])('refuses %j as a capture does', async (args, text) => {
    const { code, stdout, stderr } = await callCli(['explain', ...args]);
    expect([code, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });
});
