import type { FlagValues } from '@platen/server';

/** Flags that keep pages out of networks. They only take effect where the page is rendered: at the worker. */
const PROTECTIONS = ['block-private-ips', 'ip-blocklist'];

/** Those that a front has. */
export function protectionsOf(flags: FlagValues): readonly string[] {
  return PROTECTIONS.filter((name) => isOn(flags[name]));
}

/** One that the front has and this worker lacks. */
export function findLacking(protections: readonly string[], flags: FlagValues): string | undefined {
  return protections.find((name) => !isOn(flags[name]));
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
