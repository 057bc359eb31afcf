import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const README = readFileSync(new URL('../../../../plugins/service/mcp/README.md', import.meta.url), 'utf8');
/** The program of the installed package: test/pack.isolated.slow.test.ts starts it. */
const PROGRAM = '/opt/platen/node_modules/.bin/platen';

it('the configurations of clients start what is installed, never a name that npx would look up', () => {
  const commands = [...README.matchAll(/`(\{"(?:mcpServers|servers)".*?\})`/g)].flatMap(([, json = '']) => {
    const { mcpServers, servers } = JSON.parse(json) as Readonly<
      Record<string, { platen: { command?: string; args?: string[] } } | undefined>
    >;
    const { command, args = [] } = (mcpServers ?? servers)?.platen ?? {};
    return command === undefined ? [] : [[command, ...args]];
  });
  expect(commands).toEqual(Array(2).fill([PROGRAM, 'mcp']));
  expect(README).toContain(`claude mcp add platen -- ${PROGRAM} mcp`);
  expect(README.split('\n').filter((line) => line.startsWith('|') && line.includes('npx'))).toEqual([]);
});
