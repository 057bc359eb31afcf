import { describeReadError, PlatenError, type PluginApi, readTextFile } from '@platen/kernel';
import type { StartupCredential } from '@platen/lib-actions';
import type { NavigateFlags } from './params.js';

const FLAG = 'navigator-credential';
const ORIGIN_FLAG = 'navigator-credential-origin';

/**
 * Reads the operator's credentials of the flags, with their files.
 * @throws PlatenError `boot_invalid_flag`
 */
export async function readStartupCredentials({
  options,
}: Pick<PluginApi<unknown, readonly [], NavigateFlags>, 'options'>): Promise<readonly StartupCredential[]> {
  const { [FLAG]: given = [], [ORIGIN_FLAG]: origins = [] } = options;
  const globs = origins.map(splitPair);
  const read = await Promise.all(
    given.map(splitPair).map(async ([name, text]) => ({
      name,
      value: text.startsWith('@') ? await readSecret(name, text.slice(1)) : text,
      origins: globs.flatMap(([of, glob]) => (of === name ? [glob] : [])),
    })),
  );
  // Without it, any request could have the credential filled in on a page of its own.
  const open = read.find((one) => one.origins.length === 0);
  if (open !== undefined) {
    throw new PlatenError(
      'boot_invalid_flag',
      `--${FLAG} "${open.name}" needs --${ORIGIN_FLAG} ${open.name}=GLOB: where it may be filled in`,
    );
  }
  return read;
}

function splitPair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readSecret(name: string, path: string): Promise<string> {
  const text = await readTextFile(path).catch((error: unknown) => {
    throw new PlatenError('boot_invalid_flag', `--${FLAG} "${name}": cannot read ${path}: ${describeReadError(error)}`);
  });
  return text.replace(/\r?\n$/, '');
}
