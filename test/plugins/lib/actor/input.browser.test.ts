import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openActor } from './with-actor.js';

const withActor = openActor();

/** The element of each place, as HTML of the page, and where it tells what it got. */
const CONTROLS = `<button id="b" onclick="report('click', event.isTrusted)">Go</button>
<input id="t" aria-label="Name" oninput="report('input', this.value)" onchange="report('change', this.value)">
<select id="s" aria-label="Size" onchange="report('select', this.value)"><option value="1">Small<option value="2">Large</select>
<label>Photo<input id="f" type="file" onchange="this.files[0].text().then((text) => report('file', this.files[0].name + ':' + text))"></label>
<script>report = (...all) => navigator.sendBeacon(REPORT + '/got', all.join(' '));</script>`;

describe('controls wherever they are', () => {
  const shadow = (mode: string) => `<div id="host"></div><script>
    document.querySelector('#host').attachShadow({ mode: '${mode}' }).innerHTML = CONTROLS; eval(SCRIPT)</script>`;
  const frame = (host: string, path: string) => (port: string) =>
    `<div style="height:900px"></div><iframe src="http://${host}:${port}${path}" style="width:600px;height:150px;border:9px solid"></iframe>`;

  it.each([
    ['the page', () => '<div style="height:2000px"></div>CONTROLS'],
    ['an open shadow root', () => shadow('open')],
    ['a closed shadow root', () => shadow('closed')],
    ['a frame of the same site', frame('127.0.0.1', '/controls')],
    ['a frame of another site', frame('localhost', '/controls')],
    ['a frame of another site in one of this', frame('localhost', '/nested')],
    ['a closed shadow root in a frame of another site', frame('localhost', '/closed')],
  ])('%s', async (place, build) => {
    const got: string[] = [];
    let port = '';
    const fill = (html: string) => {
      const controls = CONTROLS.replace('REPORT', JSON.stringify(`http://127.0.0.1:${port}`));
      const [body = '', script = ''] = controls.split('<script>');
      return html
        .replace(/= CONTROLS/, `= ${JSON.stringify(body)}`)
        .replace('eval(SCRIPT)', script.replace('</script>', ''))
        .replace('CONTROLS', controls);
    };
    await using site = await openSite({
      '/': () => fill(build(port)),
      '/controls': () => fill('CONTROLS'),
      '/closed': () => fill(shadow('closed')),
      '/nested': () =>
        `<div style="height:400px"></div><iframe src="http://127.0.0.1:${port}/controls" style="width:580px;height:100px"></iframe>`,
      '/got': async (request) => {
        for await (const chunk of request) got.push(String(chunk));
        return '';
      },
    });
    port = String(site.port);
    const done = await withActor(site.url('/'), async ({ on, actor }) => {
      const fileRef = { name: 'a.txt', type: 'text/plain', data: Buffer.from('héllo') };
      const all = [
        await on('button "Go"', { kind: 'click' }),
        await on('textbox "Name"', { kind: 'fill', value: 'Ada' }),
        await on('combobox "Size"', { kind: 'select', values: ['Large'] }),
        await on('button "Photo', { kind: 'upload', files: [fileRef] }),
      ];
      await actor.settle(new AbortController().signal);
      return all;
    });
    await expect.poll(() => got).toHaveLength(5);
    expect(got.sort()).toEqual(['change Ada', 'click true', 'file a.txt:héllo', 'input Ada', 'select 2']);
    expect(done.map(({ element }) => element?.name)).toEqual(['Go', 'Name', 'Size', expect.stringMatching(/^Photo/)]);
    for (const { element, point } of done.slice(0, 3)) {
      const { x = 0, y = 0, width = 0, height = 0 } = element?.box ?? {};
      expect(point?.x).toSatisfy((at: number) => at > x && at < x + width);
      expect(point?.y).toSatisfy((at: number) => at > y && at < y + height && at < 720);
    }
    const depth = place.includes('in one of') ? 3 : place.includes('frame') ? 2 : 1;
    expect(done.map(({ element }) => element?.frameUrls.length)).toEqual(done.map(() => depth));
    expect(done[0]?.element?.frameUrls.at(-1)).toBe(site.url('/'));
  });
});
