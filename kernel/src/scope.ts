import type { RenderParams } from '@platen/schema';
import { PlatenError } from './errors.js';
import type { Scope } from './hooks.js';
import type { OwnedAsset } from './output.js';
import type { Plugin } from './plugin.js';

/** The parts of a plan, or of its draft, that a scope looks at. */
interface Scoped {
  readonly params: RenderParams;
  readonly output: { readonly type: string };
  readonly capture: { readonly kind: string };
  readonly assets: readonly OwnedAsset[];
  readonly included: readonly { readonly output: { readonly type: string }; readonly capture: { readonly kind: string } }[];
}

/** Whether a scope has a plan in it. */
export type InScope = (plan: Scoped) => boolean;

const MATCHES: Readonly<Record<keyof Scope, (plan: Scoped, name: string) => boolean>> = {
  capture: ({ capture, assets, included }, kind) =>
    capture.kind === kind || assets.some(({ from }) => from === kind) || included.some((one) => one.capture.kind === kind),
  output: ({ output, assets, included }, type) =>
    output.type === type || assets.some(({ further }) => further?.output.type === type) || included.some((one) => one.output.type === type),
  asset: ({ params }, key) => isSwitchedOn(params[key]),
  param: ({ params }, key) => params[key] !== undefined,
};

/** @throws PlatenError `boot_invalid_plugin` if the scope has an entry that its plugin does not declare */
export function createScope(scope: Scope | undefined, plugin: Plugin): InScope {
  if (scope === undefined) return () => true;
  const { captures = [], outputs = [], assets = [], params = {} } = plugin;
  const declared: Readonly<Record<string, readonly string[]>> = {
    capture: captures.map(({ kind }) => kind),
    output: outputs.map(({ type }) => type),
    asset: assets.map(({ key }) => key),
    param: Object.keys(params),
  };
  // `Object.entries` forgets which members an object has.
  const members = Object.entries(scope) as [keyof Scope, string | readonly string[]][];
  const parts = members.flatMap(([member, names]) => [names].flat().map((name) => ({ member, name })));
  const undeclared = parts.find(({ member, name }) => declared[member]?.includes(name) !== true);
  if (undeclared === undefined) return (plan) => parts.some(({ member, name }) => MATCHES[member](plan, name));
  const detail = `plugin "${plugin.name}" has a scope for the ${undeclared.member} "${undeclared.name}", which it does not declare`;
  throw new PlatenError('boot_invalid_plugin', detail);
}

/** An asset switch is on unless its value is one of the interface's forms of "off". */
export function isSwitchedOn(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 'false';
}
