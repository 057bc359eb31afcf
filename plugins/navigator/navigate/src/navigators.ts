import { invalidParameter, type PluginApi, readParam } from '@platen/kernel';
import { type Model, modelsOf, registryOf } from '@platen/lib-models';
import { formatModelParam } from '@platen/plugin-llm/keys';
import type { NavigateFlags, NavigateParams } from './params.js';

type Api = Pick<PluginApi<NavigateParams, readonly [], NavigateFlags>, 'outbound' | 'log' | 'options'>;

/** The models of a navigation. */
export interface Navigators {
  /** Acts. */
  readonly first: Model;
  /** Can be escalated to, in this order. */
  readonly others: readonly Model[];
  /** Writes the texts that the others ask for. */
  readonly writer: Model | undefined;
}

const KEY = 'navigator_type';
const FLAG = 'navigator-type';
const FORMATTER_FLAG = 'llm-format-model';

/** @throws PlatenError `boot_invalid_flag` */
export function openStartupNavigators(api: Api): readonly Model[] {
  const { [FLAG]: connections = [] } = api.options;
  const models = modelsOf(api);
  return connections.map((connection) => models.open(connection, { source: 'startup', name: FLAG }));
}

/**
 * The navigators that a request names, or else those of the server; a formatter model with `escalate=true` joins them.
 * @throws PlatenError `invalid_parameters` that names the parameter
 */
export function chooseNavigators(api: Api, params: NavigateParams, startup: readonly Model[]): Navigators {
  const models = modelsOf(api);
  const given = params.navigator_type?.map((connection) => models.open(connection, { source: 'request', name: KEY }));
  const chosen = given ?? startup;
  const [first, ...rest] = chosen;
  if (first === undefined) {
    throw invalidParameter(KEY, `"navigate" requires "${KEY}", because the server was started without --${FLAG}`);
  }
  const formatter = formatterOf(api, params);
  const others = rest.filter(({ escalate }) => escalate !== false);
  return {
    first,
    others: formatter?.escalate === true ? [...others, formatter] : others,
    writer: chosen.find(({ writer }) => writer),
  };
}

/** The formatter belongs to another plugin, whose parameter and flag are part of the interface. */
function formatterOf(api: Api, params: NavigateParams): Model | undefined {
  const connection = readParam(params, formatModelParam);
  if (connection !== undefined) return modelsOf(api).open(connection, { source: 'request', name: formatModelParam.name });
  return registryOf(api).startup.find(({ flag }) => flag === FORMATTER_FLAG)?.model;
}
