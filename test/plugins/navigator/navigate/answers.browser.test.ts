import { expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openSite } from '../../../helpers/site.js';
import { openNavigatorHost } from './open-host.js';

it('answers may be written in other ways than asked for', async () => {
  await using site = await openSite({ '/': '<a href="/next">Next</a>', '/next': '<h1>Thanks</h1>' });
  await using host = openNavigatorHost();
  const unused = { value: null, keys: null, tab: null, on: null };
  const texts = [
    (ref: string) => `[Thought: {the link}] ${JSON.stringify({ kind: 'click', ref: `[ref=${ref}]`, ...unused })}`,
    () =>
      `<think>{"actions": [{"kind": "fail", "reason": "?"}]}</think>[{"kind": "done", "answer": "seen", "success": "true", "ms": null}]`,
  ];
  let turn = 0;
  const { script, shown } = navigatorScript([() => [], () => []]);
  await using server = await openModelServer('openai', async (seen, index) => {
    if (typeof script === 'function') await script(seen, index);
    return { text: texts[turn++]?.(shown[0]?.ref('link', 'Next') ?? '') ?? '' };
  });
  const result = await host.render({ url: site.url('/'), navigate: 'Go on.', navigator_type: [server.connection()] });
  expect([(await result.bytes()).toString(), turn]).toEqual(['seen', 2]);
  expect(shown[1]?.page).toContain('heading "Thanks"');
});

it('a credential is not typed', async () => {
  await using site = await openSite({ '/': '<input type=password aria-label=Password>' });
  await using host = openNavigatorHost();
  const type: Turn = ({ ref }) => [{ kind: 'type', ref: ref('textbox', 'Password'), value: 'credential:password' }];
  const { shown, error } = await host.navigate([type, () => [done()]], {
    url: site.url('/'),
    navigator_credential: { password: 'secret word' },
  });
  expect([error, shown[1]?.prompt]).toEqual([undefined, expect.stringContaining('use fill')]);
});
