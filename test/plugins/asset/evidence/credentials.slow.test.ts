import { buffer } from 'node:stream/consumers';
import { isPlatenError } from '@platen/kernel';
import evidence from '@platen/plugin-evidence';
import steps from '@platen/plugin-steps';
import { expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { decodePicture, isColour } from '../../capture/pictures.js';
import { openNavigatorHost } from '../../navigator/navigate/open-host.js';

const FORM = `<style>body { margin: 0 } input { width: 300px; height: 100px; border: 0; background: yellow }</style>
<input aria-label="User" oninput="console.log('typed ' + this.value); fetch('/missing?' + this.value)">`;

it('credentials that were filled in are neither in the picture nor in the console and the requests', async () => {
  await using host = openNavigatorHost({}, [steps, evidence]);
  await using site = await openSite({ '/': FORM });
  const error: unknown = await host
    .render({
      ...{ url: site.url('/'), timeout: 30, with_evidence: true, navigator_credential: { user: 'correct horse' } },
      steps: [{ fill: 'label=User', value: { credential: 'user' } }, { check: 'label=User' }],
    })
    .catch((thrown: unknown) => thrown);
  if (!isPlatenError(error) || error.assets === undefined) throw new Error('there is no failure', { cause: error });
  expect(error.code).toBe('step_failed');
  const files = new Map<string, Buffer>();
  for (const { name, open } of error.assets.kept) files.set(name, await buffer(open()));
  expect([...files.keys()].sort()).toEqual(['console', 'evidence', 'requests', 'step-failed']);
  expect(String(files.get('console'))).toContain('typed ***');
  expect(`${String(files.get('console'))}${String(files.get('requests'))}`).not.toContain('horse');
  const picture = await decodePicture(files.get('evidence') ?? Buffer.of());
  expect(picture).toMatchObject({ format: 'png', width: 1280, height: 720 });
  expect(isColour(picture.at(50, 50), [0, 0, 0], 16)).toBe(true);
});
