import type { CommandDeclaration } from '@platen/kernel';

interface OwnCommand extends Pick<CommandDeclaration, 'name' | 'usage' | 'description'> {
  readonly help: string;
}

/** Commands of the command line itself; `description` is their line in `platen --help`. */
export const OWN_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'plugins',
    usage: '[FLAGS]',
    description: 'list the installed plugins',
    help: `Lists the installed plugins with their versions, packages, output types, keys and flags, and which of them the flags disable.`,
  },
  {
    name: 'config',
    usage: '[--json] [FLAGS]',
    description: 'print the merged configuration, and where each value comes from',
    help: `Prints what a server with the same flags, environment and config file would run with, as YAML that can be a config file, and where
each value comes from. Secrets are masked. Ends with 2 where the server would not start for its flags, as far as that shows without
starting: what needs the network, a free port or a write (URLs of lists and keys, addresses, the cache's folder) is not tried.

  --json   as JSON, for programs`,
  },
  {
    name: 'healthcheck',
    usage: '[URL]',
    description: 'exit 0 if a server accepts requests',
    help: `Asks a server for its status: ends with 0 where it takes renders, with 1 where it does not or cannot be asked.

  URL      http://127.0.0.1:3000 or unix:/run/platen.sock; without it --server-bind-address, --server-bind-port, --config and
           their environment variables say where the server listens`,
  },
  {
    name: 'doctor',
    usage: '[--json] [FLAGS]',
    description: 'check the host (browser, fonts, tools)',
    help: `Says what the host has for a start with the same flags, renders a page, and says what each missing piece would enable. Changes nothing.
Ends with 0 where something can be rendered, else with 5.

  --json   as JSON, for programs`,
  },
];
