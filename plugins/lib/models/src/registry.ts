import { PlatenError, type Outbound } from '@platen/kernel';
import { addUsage, NO_USAGE, type Usage } from './message.js';
import type { Model } from './model.js';
import type { Wire } from './wire.js';

/** The part of a plugin's API that identifies its kernel. */
export interface WireHost {
  readonly outbound: Pick<Outbound, 'fetch'>;
}

/** A model of a startup flag. */
export interface StartupModel {
  /** Without leading dashes. */
  readonly flag: string;
  readonly model: Model;
}

/** The providers and startup models of one kernel. */
export interface Registry {
  readonly wires: Map<string, Wire>;
  readonly startup: StartupModel[];
  /** Since the start: by the name of a startup model; `other` for all models of requests. */
  readonly usage: Map<string, Usage>;
}

/** Stored by the object that a kernel passes to all of its plugins. */
const registries = new WeakMap<object, Registry>();

export function registryOf({ outbound }: WireHost): Registry {
  const known = registries.get(outbound);
  if (known !== undefined) return known;
  const registry = { wires: new Map<string, Wire>(), startup: [], usage: new Map<string, Usage>() };
  registries.set(outbound, registry);
  return registry;
}

/** The label of models that requests name. */
const OF_REQUESTS = 'other';

/** Counts a call. The names that requests give are not counted separately: there could be any number of them. */
export function countUsage(
  { usage }: Registry,
  name: string,
  { source, used }: { readonly source: 'startup' | 'request'; readonly used: Usage },
): void {
  const label = source === 'startup' ? name : OF_REQUESTS;
  usage.set(label, addUsage(usage.get(label) ?? NO_USAGE, used));
}

/**
 * Adds a provider, in a plugin's `apply`.
 * @throws PlatenError `boot_invalid_plugin` if the protocol is not valid, or already provided
 */
export function registerWire(host: WireHost, wire: Wire): void {
  const { wires } = registryOf(host);
  const { protocol } = wire;
  if (!/^[a-z][a-z0-9+.-]*$/.test(protocol)) {
    throw new PlatenError('boot_invalid_plugin', `the protocol "${protocol}" of a model is not lower-case letters, digits, +, . and -`);
  }
  if (wires.has(protocol)) throw new PlatenError('boot_invalid_plugin', `two plugins provide models by the protocol "${protocol}"`);
  wires.set(protocol, wire);
}
