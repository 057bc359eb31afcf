import authToken from '@platen/plugin-auth-token';
import license from '@platen/plugin-license';
import { silentLogger, type Logger } from '@platen/kernel';
import { expect, it } from 'vitest';
import { serving, useServers } from '../../server/test-server.js';
import { createIssuer } from './license/issuer.js';

const start = useServers();

it('a reload warns once its values are active, and once for each change', async () => {
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message), child: () => log };
  let refuses = true;
  const refusing = serving(({ hooks }) => {
    hooks.reload.tap('guest', () => {
      if (refuses) throw new Error('refused');
    });
  });
  const issuer = createIssuer();
  const flags = {
    'server-token-auth': ['secret'],
    'license-public-key': issuer.pem,
    'license-key': issuer.issue({ tier: 'enterprise' }),
  };
  const { server } = await start({ plugins: [authToken, license, refusing], flags, log });
  const said = () => warnings.splice(0).filter((text) => text.includes('until a restart'));
  await expect(server.reload({})).rejects.toThrow('the plugin "guest" failed');
  expect(said()).toEqual([]);
  refuses = false;
  await server.reload({});
  expect(said().sort()).toEqual([
    '--license-public-key is no longer given: the previous license stays active until a restart',
    'the new configuration has no credentials: the former ones remain valid until a restart',
  ]);
  await server.reload({});
  expect(said()).toEqual([]);
  await server.reload(flags);
  await server.reload({});
  expect(said()).toHaveLength(2);
});
