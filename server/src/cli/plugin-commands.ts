import type { CommandDeclaration } from '@platen/kernel';
import { takeInventory, type Inventory } from './boot.js';
import type { Catalog } from './catalog.js';
import type { Io } from './io.js';

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
