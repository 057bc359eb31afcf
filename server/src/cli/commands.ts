import type { CommandDeclaration } from '@platen/kernel';
import { takeInventory, type Inventory } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';

/** A command of the command line itself; `description` is its line in `platen --help`. */
interface Command extends Pick<CommandDeclaration, 'name' | 'usage' | 'description'> {
  readonly help: string;
  /** Resolves with the exit code. Loads its module then: a start pays only for the command that it runs. */
  run(args: readonly string[], io: Io, catalog: Catalog): Promise<number>;
}

/** Help, hints for mistyped words and the call all come from here. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'plugins',
    usage: '[FLAGS]',
    description: 'List the installed plugins',
    help: `Lists the installed plugins with their versions, packages, output types, keys and flags, and which of them the flags disable.`,
    run: async (args, io, catalog) => await (await import('./list-plugins.js')).listPlugins(args, io, catalog),
  },
  {
    name: 'config',
    usage: '[--json] [FLAGS]',
    description: 'Print the merged configuration, and where each value comes from',
    help: `Prints the configuration of a server with the same flags, environment and config file, as YAML that can be used as a config file, with
the source of each value. Secrets are masked. Exit code 2: the flags would prevent the start, as far as that can be checked without
starting. Not checked: parts that need the network, a free port or a write (URLs of lists and keys, addresses, the cache directory).

  --json   print JSON`,
    run: async (args, io, catalog) => await (await import('./show-config.js')).showConfig(args, io, catalog),
  },
  {
    name: 'explain',
    usage: 'URL [FILE] [--json] [--KEY VALUE] [FLAGS]',
    description: 'Print what a render will do: its plan, and the plugins that take part',
    help: `Prints the plan of a render, and each hook with the plugins whose taps will run, in their order, with their files. Starts no browser
and loads nothing. Values of parameters are not shown.

  --json   print JSON`,
    run: async (args, io, catalog) => await (await import('./explain.js')).explain(args, io, catalog),
  },
  {
    name: 'healthcheck',
    usage: '[URL]',
    description: 'Exit 0 if a server accepts requests',
    help: `Requests the status of a server. Exit code 0: it accepts renders; 1: it does not, or does not respond.

  URL      http://127.0.0.1:3000 or unix:/run/platen.sock; default: as --server-bind-address, --server-bind-port, --config and
           their environment variables say`,
    run: async (args, io) => await (await import('./check-health.js')).checkHealth(args, io),
  },
  {
    name: 'doctor',
    usage: '[--json] [FLAGS]',
    description: 'Check the host (browser, fonts, tools)',
    help: `Checks the host for a start with the same flags, renders a page, and reports what each missing part would enable. Changes nothing.
Exit code 0: something can be rendered; 5: nothing can.

  --json   print JSON`,
    run: async (args, io, catalog) => await (await import('../doctor/index.js')).runDoctor(args, io, catalog),
  },
];

/** The commands that plugins add to the command line. */
export function commandsOf({ loaded }: Pick<Inventory, 'loaded'>): readonly CommandDeclaration[] {
  return loaded.flatMap(({ definition: { commands = [] } }) => commands);
}

/** The text of one command in `--help`. */
export function formatCommand({ name, usage, description, help }: Omit<CommandDeclaration, 'run'>): string {
  return `Usage\n  platen ${`${name} ${usage}`.trim()}\n\n${help ?? description}\n`;
}

/** The plugin's command of that name, if any. */
export async function findCommand(name: string, io: Io, catalog: Catalog): Promise<CommandDeclaration | undefined> {
  return commandsOf(await takeInventory([], io, catalog)).find((command) => command.name === name);
}
