import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles, listWorkspaces, ROOT } from '../architecture/workspaces.js';

/** Whatever opens a connection or resolves a name. `outbound.fetch` goes by the rules. */
const CONNECTS = [
  /(?<![\w.])fetch\(/,
  /(?<!(?:outbound|window)\s*)\.fetch\(/,
  /\bhttps?\.(?:request|get)\(/,
  /\bnew (?:WebSocket|EventSource)\(/,
  /(?:from|import\() ?['"](?:node:)?(?:https|http2|tls|dns|dns\/promises|dgram|undici)['"]/,
  /\b(?:connect|createConnection)\b[^;]*from '(?:node:)?net'/,
  /\b(?:request|get)\b[^;]*from '(?:node:)?http'/,
];

/** Who may, and why. */
const MAY: readonly (readonly [path: RegExp, why: string])[] = [
  [/^kernel\/src\/egress\//, 'the one dialer'],
  [/^plugins\/output\/download\/src\/watch-downloads\.ts$/, 'runs in the rendered page, whose connections go through the egress'],
  [/^plugins\/service\/openapi\/src\/browser\//, 'runs in the browser of who reads the documentation'],
  [/^package\/src\/client\//, 'runs in the programs of clients, against their server'],
  [
    /^plugins\/service\/cluster\/src\/call-front\.ts$/,
    "calls a front of the operator's own cluster: the egress refuses its address, on purpose",
  ],
  [/^plugins\/service\/cluster\/src\/members\.ts$/, 'looks up the names of the cluster, whose addresses it refuses to pages'],
  [/^server\/src\/http\/bind\.ts$/, 'asks a Unix socket of its own whether anybody listens'],
  [/^server\/src\/cli\/check-health\.ts$/, "asks a server of the operator's own for its status"],
];

it('S9: nothing of Platen connects but through its one dialer', () => {
  const files = listWorkspaces()
    .filter((folder) => folder !== 'test')
    .flatMap((folder) => listFiles(join(folder, 'src')))
    .filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
    return CONNECTS.some((pattern) => pattern.test(code));
  });
  expect(found.filter((file) => !MAY.some(([path]) => path.test(file)))).toEqual([]);
  // Each exception is one still.
  expect(MAY.filter(([path]) => !found.some((file) => path.test(file)))).toEqual([]);
});
