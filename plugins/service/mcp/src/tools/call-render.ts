import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { invalidParameter, isPlatenError, type PlatenError, type RenderPlan, type ServerApi } from '@platen/kernel';
import { nearest } from '@platen/schema';
import { describeAsset } from '../describe-assets.js';
import { toErrorResult } from '../describe-error.js';
import { discardRendered, presentOutput } from '../present-output.js';
import { DEFAULT_TOKENS, type Described, describeArguments, MOST_TOKENS, requiredArguments } from './input-schema.js';
import { type EnabledTool, enabledTools } from './render-tools.js';
import type { Arguments, Tool, ToolCall } from './tool.js';

/** In records, logs and metrics: one word for all tools. */
const ENDPOINT = 'mcp';

/** The tools that render. */
export function createRenderTools(server: ServerApi): readonly Tool[] {
  return enabledTools(server).map((tool) => ({
    definition: {
      name: tool.name,
      description: tool.description,
      inputSchema: describeArguments(tool, server.kernel),
      annotations: { readOnlyHint: tool.acts !== true },
    },
    async call(args, call) {
      const params = toParams(tool, args, server.kernel);
      return await callRender(server, { params, maxTokens: readTokens(args), hasData: tool.returnsData }, call);
    },
  }));
}

interface RenderArguments {
  readonly params: Arguments;
  readonly maxTokens: number;
  readonly hasData: boolean | undefined;
}

async function callRender(
  server: ServerApi,
  { params, maxTokens, hasData }: RenderArguments,
  { caller, signal, progress }: ToolCall,
): Promise<CallToolResult> {
  const { isHttp, reserve, id = randomUUID(), ...client } = caller;
  let plan: RenderPlan | undefined;
  try {
    const rendered = await server.render({
      ...client,
      id,
      endpoint: ENDPOINT,
      source: 'mcp',
      raw: params,
      signal,
      onPlanned(planned) {
        plan = planned;
      },
      onPhase: (phase) => progress?.phase(phase),
      onProgress: (pages) => progress?.pages(pages),
    });
    try {
      return await presentOutput(server, rendered, { maxTokens, hasData, isHttp, signal, reserve });
    } catch (error) {
      await discardRendered(server, rendered);
      throw error;
    }
  } catch (error) {
    // A failed render may have left assets that show why.
    const assets = isPlatenError(error) ? error.assets : undefined;
    const left = assets === undefined || plan === undefined ? { links: [], missing: [] } : await server.assets.link(plan, assets);
    return toErrorResult(error, { id, assets: left.links.map((link) => describeAsset(link, { isHttp })), missing: left.missing });
  }
}

/** The parameters of the request. The server checks their values. */
function toParams(tool: EnabledTool, args: Arguments, kernel: Described): Arguments {
  const { format, max_tokens: _, ...params } = args;
  const { formats } = tool;
  const names = [
    ...tool.keys,
    ...(tool.returnsText === true ? ['max_tokens'] : []),
    ...(formats !== undefined && formats.length > 1 ? ['format'] : []),
  ];
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownArgument(unknown, { tool: tool.name, names, isKey: kernel.schema.keys.has(unknown) });
  const missing = requiredArguments(tool, kernel).find((name) => args[name] === undefined);
  if (missing !== undefined) throw invalidParameter(missing, `"${missing}" is missing: the tool ${tool.name} requires it`);
  const complete = tool.complete?.(params) ?? params;
  const { keys: plainKeys = [], model, output_type: plain } = tool.withoutModel ?? {};
  if (format === undefined && plainKeys.some((key) => (params[key] ?? false) !== false)) return { ...complete, output_type: plain };
  if (formats === undefined) return complete;
  const others = `${tool.name} requires it, or one of: ${plainKeys.join(', ')}`;
  if (formats.length === 0) throw invalidParameter(plainKeys[0] ?? '', `${tool.name} requires one of: ${plainKeys.join(', ')}`);
  if (model !== undefined && args[model] === undefined) throw invalidParameter(model, `"${model}" is missing: ${others}`);
  const [, own] = format === undefined ? (formats[0] ?? []) : (formats.find(([name]) => name === format) ?? []);
  if (own === undefined) throw invalidParameter('format', `"format" must be one of: ${formats.map(([name]) => name).join(', ')}`);
  return format === undefined ? { ...own, ...complete } : { ...complete, ...own };
}

interface KnownNames {
  readonly tool: string;
  readonly names: readonly string[];
  /** It is a parameter of the server all the same. */
  readonly isKey?: boolean;
}

/** Names the argument, and the one that was probably meant. */
export function unknownArgument(name: string, { tool, names, isKey = false }: KnownNames): PlatenError {
  const near = nearest(name, names);
  const hint = isKey ? 'the tool render accepts it' : near === undefined ? `valid are ${names.join(', ')}` : `did you mean "${near}"?`;
  return invalidParameter(name, `${tool} has no argument ${JSON.stringify(name.slice(0, 100))}: ${hint}`);
}

/** @throws PlatenError `invalid_parameters` */
export function readTokens({ max_tokens: tokens = DEFAULT_TOKENS }: Arguments): number {
  if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 1 && tokens <= MOST_TOKENS) return tokens;
  throw invalidParameter('max_tokens', `"max_tokens" must be an integer between 1 and ${String(MOST_TOKENS)}`);
}
