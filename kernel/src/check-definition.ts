import { findDefinitionFault } from '@platen/schema';
import { PlatenError } from './errors.js';
import type { Plugin } from './plugin.js';

/** Throws `boot_invalid_plugin`, which names the plugin and the invalid field. */
export function assertDefinition(definition: Plugin, packageName: string): void {
  const problem = problemOf(definition);
  if (problem === undefined) return;
  const { name } = definition;
  throw new PlatenError('boot_invalid_plugin', `the definition of the plugin "${name}" (${packageName}) is invalid: ${problem}`, {
    plugin: name,
  });
}

/** Also of a member that throws when it is read. */
function problemOf(definition: Plugin): string | undefined {
  try {
    return findDefinitionFault(definition);
  } catch (error) {
    return String(error);
  }
}
