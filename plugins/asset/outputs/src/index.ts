import { definePlugin, type InferParams, type PlanView } from '@platen/kernel';

const OUTPUTS_PARAMS = {
  with_output: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    maxItems: 8,
    description: 'Further output types of the same page load, each as an additional asset: still images, documents, data and `har`.',
    examples: [['pdf', 'markdown']],
    'x-single': true,
    'x-extension': true,
    'x-synonyms': { formats: true, outputs: true, output_types: true },
    'x-search': ['several formats'],
  },
} as const;

const KEY = 'with_output';

/** Further outputs of one page load. The kernel captures and encodes them; each capture kind declares whether it combines. */
export default definePlugin({
  name: 'outputs',
  assets: [{ key: KEY, name: 'outputs', outputs: true }],
  params: OUTPUTS_PARAMS,
  planFor: { param: KEY },
  validatePlan(plan) {
    const problem = findProblem(plan);
    if (problem === undefined) return;
    const types = plan.combining.map(({ output: { type } }) => type).filter((type) => type !== plan.output.type);
    plan.refuse(KEY, `"${KEY}" ${problem}: use ${types.sort().join(', ')}, each once`);
  },
});

function findProblem({ params, output, captureKind, assets, combining }: PlanView<InferParams<typeof OUTPUTS_PARAMS>>): string | undefined {
  const names = params.with_output ?? [];
  const isMain = ({ output: { type }, capture: { kind } }: (typeof combining)[number]) => type === output.type && kind === captureKind;
  if (!combining.some(isMain)) return `cannot be used with the output type "${output.type}"`;
  const found = names.map((name) => combining.find(({ output: { type, aliases = [] } }) => [type, ...aliases].includes(name)));
  const problems = found.map((further, at) => {
    const name = JSON.stringify(names[at]?.slice(0, 60));
    if (further === undefined) return `cannot have ${name}`;
    if (further.output === output) return `cannot have ${name}, which is the output itself`;
    if (found.indexOf(further) < at) return `has ${name} twice`;
    const other = assets.find(({ plugin, key }) => plugin === further.plugin && key !== KEY);
    return other === undefined ? undefined : `cannot have ${name} beside "${other.key}"`;
  });
  return problems.find((problem) => problem !== undefined);
}
