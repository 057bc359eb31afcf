import { mergeSchema, SchemaError, type RequestSchema } from '@platen/schema';
import { CORE_PARAMS } from './core-params.js';
import type { DiscoveredPlugin } from './discovery.js';
import { PlatenError, type ErrorCode } from './errors.js';
import type { Registry } from './registry.js';

/**
 * The schema of a request: the kernel's own keys and those of the plugins.
 *
 * @param absent plugins that are not loaded; errors name them if a request uses their parameters
 * @throws PlatenError `boot_*` for plugins that claim the same name, and for an invalid fragment
 */
export function buildSchema(registry: Registry, absent: readonly DiscoveredPlugin[] = []): RequestSchema {
  try {
    return mergeSchema({
      parts: [
        { owner: 'kernel', params: CORE_PARAMS, isChecked: true },
        ...registry.plugins.map(({ definition: { name, tier = 'free', params = {}, rules = [] }, isChecked = false }) => ({
          owner: name,
          tier,
          params,
          rules,
          isChecked,
        })),
      ],
      outputs: registry.plugins.flatMap(({ definition: { name, tier = 'free', outputs = [] } }) =>
        outputs.map(({ type, aliases = [], endings = [], extension, contentType }) => ({
          type,
          aliases,
          tier,
          owner: name,
          spellings: [extension, ...endings, contentType.split(/[/;]/)[1] ?? extension],
        })),
      ),
      absent: absent.map(({ name, keys, outputs, leftOut = false, fault }) => ({
        plugin: name,
        keys,
        outputs,
        leftOut,
        broken: fault !== undefined,
      })),
    });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new PlatenError(BOOT_CODES[error.code], error.message, { cause: error });
  }
}

const BOOT_CODES = {
  duplicate_key: 'boot_duplicate_key',
  duplicate_output: 'boot_duplicate_output',
  invalid_fragment: 'boot_invalid_fragment',
} as const satisfies Record<SchemaError['code'], ErrorCode>;
