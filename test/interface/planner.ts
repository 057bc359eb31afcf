import type { Plugin, RenderPlan } from '@platen/kernel';
import { expect } from 'vitest';
import { asLoaded, openServer, rendered } from '../server/test-server.js';

type Params = Readonly<Record<string, unknown>>;

export interface Planner extends AsyncDisposable {
  /** The plan of a request that is taken, sent as a query and, which must come to the same, as a JSON body. */
  planOf(params: Params): Promise<RenderPlan>;
  /** The plan of a query as it is written, or of a JSON body alone. */
  planOfQuery(query: string): Promise<RenderPlan>;
  planOfBody(params: Params): Promise<RenderPlan>;
  /** Which parameters a query, or a JSON body, is refused for, by their names. */
  refusedQuery(query: string): Promise<readonly string[]>;
  refusedBody(params: Params): Promise<readonly string[]>;
  /** What is said of the parameters of a refused JSON body. */
  detailsOf(params: Params): Promise<readonly string[]>;
}

const TARGET = 'http://a.test/';

/** The real server with the real plugins' validation and planning; what would be rendered is kept instead. */
export async function openPlanner(plugins: readonly Plugin[]): Promise<Planner> {
  const plans: RenderPlan[] = [];
  const server = await openServer({
    only: plugins.map(asLoaded),
    render(plan, options) {
      plans.push(plan);
      return rendered(plan, options);
    },
  });
  const planned = async (response: Response): Promise<RenderPlan> => {
    expect(response.status, await response.text()).toBe(200);
    const plan = plans.pop();
    if (plan === undefined) throw new Error('nothing was rendered');
    return plan;
  };
  const refused = async (response: Response) => {
    expect(response.status).toBe(400);
    expect(plans).toEqual([]);
    return ((await response.json()) as { errors: readonly { parameter: string; detail: string }[] }).errors;
  };
  const post = (params: Params) => server.post({ url: TARGET, ...params });
  const get = (query: string) => server.get(query.startsWith('url=') ? query : `url=${TARGET}&${query}`);
  return {
    async planOf(params) {
      const fromBody = await planned(await post(params));
      expect(await planned(await get(toQuery({ url: TARGET, ...params })))).toEqual(fromBody);
      return fromBody;
    },
    planOfBody: async (params) => planned(await post(params)),
    planOfQuery: async (query) => planned(await get(query)),
    refusedQuery: async (query) => (await refused(await get(query))).map(({ parameter }) => parameter),
    refusedBody: async (params) => (await refused(await post(params))).map(({ parameter }) => parameter),
    detailsOf: async (params) => (await refused(await post(params))).map(({ detail }) => detail),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Arrays are repeated keys. */
export function toQuery(params: Params): string {
  const pairs = Object.entries(params).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)]),
  );
  return new URLSearchParams(pairs).toString();
}
