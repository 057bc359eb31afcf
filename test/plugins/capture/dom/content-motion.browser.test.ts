import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();
const words = async (body: string): Promise<string> =>
  (await read(body))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const moving = (frames: string, css: string, content = 'b') =>
  `<style>@keyframes k{${frames}}</style><p>a</p><div style="animation:k 1000s 1000s both;${css}">${content}</div>`;
const CUT = 'overflow:hidden;white-space:nowrap';

describe('what an animation is going to show is read', () => {
  it.each([
    ['written letter by letter', moving('from{width:0}to{width:100%}', CUT)],
    ['to the width it has', moving('from{width:0}', `${CUT};width:22ch`)],
    ['in a line of its own', moving('from{width:0}to{width:9ch}', `${CUT};display:inline-block`)],
    [
      'with what is placed in it',
      moving('from{width:0}to{width:90%}', `${CUT};position:relative;height:40px`, '<b style="position:absolute">b</b>'),
    ],
    ['let down', moving('from{max-height:0}to{max-height:500px}', CUT)],
    [
      'in a row of no size',
      moving('from{grid-template-rows:0fr}to{grid-template-rows:1fr}', 'display:grid', `<div style="${CUT}">b</div>`),
    ],
    ['where only its size is contained', moving('from{height:0}to{height:50px}', 'contain:paint')],
    ['growing letters', moving('from{font-size:0}to{font-size:20px}', '', '<p><b>b</b></p>')],
    ['made visible', moving('from{visibility:hidden}to{visibility:visible}', '', '<p><b>b</b></p>')],
    ['through a filter', moving('from{filter:opacity(0)}to{filter:opacity(1)}', '')],
    ['through a filter that goes', moving('from{filter:opacity(0)}to{filter:none}', '')],
    ['brought in by its indent', moving('from{text-indent:-9999px}to{text-indent:0}', '', '<p><b>b</b></p>')],
    ['coloured with what it stands in', moving('from{color:transparent}to{color:red}', '', '<p><b>b</b></p>')],
    ['turned to its front', moving('from{transform:rotateY(180deg)}to{transform:none}', 'backface-visibility:hidden')],
    [
      'turned with its card',
      moving(
        'from{transform:rotateY(180deg)}to{transform:none}',
        'transform-style:preserve-3d',
        '<p style="backface-visibility:hidden">b</p>',
      ),
    ],
    ['turned from its edge', moving('from{transform:rotateX(-90deg)}to{transform:none}', '', '<p>b</p>')],
    ['in a frame', `<iframe srcdoc='${moving('from{width:0}to{width:9ch}', CUT)}'></iframe>`],
    ['in a shadow tree', `<div><template shadowrootmode=open>${moving('from{width:0}to{width:9ch}', CUT)}</template></div>`],
    [
      'by a transition',
      `<p>a</p><div id=t style="${CUT};height:0;transition:height 1000s 1000s">b</div><script>t.offsetTop;t.style.height='50px'</script>`,
    ],
  ])('%s', async (_what, body) => {
    expect(await words(body)).toBe('a b');
  });

  it.each([
    ['a box that stays shut', moving('from{width:0}to{width:0px}', CUT, 'x')],
    ['what another movement holds', moving('from{color:red}to{color:blue}', `${CUT};height:0`, 'x')],
    ['letters that stay small', moving('from{font-size:0}to{font-size:0}', '', 'x')],
    ['what is hidden in it by itself', moving('from{visibility:visible}to{visibility:visible}', '', '<p style="visibility:hidden">x</p>')],
    [
      'what is for those alone who hear it',
      moving('from{width:10%}to{width:90%}', 'height:20px', `<p style="${CUT};width:1px;height:1px">x</p>`),
    ],
    [
      'what has its time behind it',
      `<style>@keyframes k{from{height:9px}}</style><p>a</p><div style="${CUT};height:0;animation:k 1ms -1s">x</div>`,
    ],
  ])('but not: %s', async (_what, body) => {
    expect(await words(body)).toBe('a');
  });
});
