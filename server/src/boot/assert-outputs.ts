import { PlatenError, type DiscoveredPlugin } from '@platen/kernel';

interface Chosen {
  readonly enabled: readonly DiscoveredPlugin[];
  readonly absent: readonly DiscoveredPlugin[];
}

/** Rejects a start that could serve no request: no enabled plugin has an output type. */
export function assertOutputs({ enabled, absent }: Chosen): void {
  if (enabled.some(({ outputs }) => outputs.length > 0)) return;
  const makers = absent.filter(({ outputs, leftOut }) => outputs.length > 0 && leftOut !== true).map(({ name }) => name);
  throw new PlatenError(
    'boot_missing_requirement',
    `no plugin with an output type is enabled: --plugins must include one that --disable-plugins does not disable (${makers.sort().join(', ')})`,
  );
}
