import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A tool for a part of a plugin's work: a program on the machine, or an npm package. */
export type ToolCandidate =
  | {
      readonly name: string;
      /** Program, and arguments that print its version. */
      readonly command: readonly [string, ...string[]];
      /** Regular expression that the output must match, line by line; its first group, if any, is the version. */
      readonly prints: string;
    }
  | { readonly name: string; readonly package: string };

/** External tools of a plugin. Plain data, so that reports find the same tools as the plugin. */
export interface ToolDeclaration {
  /** Stable name in snake_case. */
  readonly id: string;
  /** In order of preference: the first available candidate is used. */
  readonly candidates: readonly ToolCandidate[];
  /** Command that installs the best. */
  readonly fix: string;
  /** The plugin's output types work without it: only some parameters need it. */
  readonly optional?: true;
  /** URL of the module that searches for it: reports resolve packages from there, too. */
  readonly from?: string;
}

export interface FoundTool {
  readonly name: string;
  readonly version: string | undefined;
  /** It is the best of the candidates. */
  readonly best: boolean;
}

/** A tool that does not respond within this time counts as missing. */
const ANSWER_MS = 10_000;

/**
 * Selects the first available candidate; undefined if there is none.
 * @param from file or file URL from which packages are resolved, as an import there would be
 * @param programs paths of programs outside `PATH`, by the name in the candidate's command
 */
export async function findTool(
  { candidates }: ToolDeclaration,
  from: string,
  programs: Readonly<Record<string, string>> = {},
): Promise<FoundTool | undefined> {
  for (const candidate of candidates) {
    const found = 'package' in candidate ? packageVersion(candidate.package, from) : await commandVersion(candidate, programs);
    if (found !== undefined) return { name: candidate.name, version: found.version, best: candidate === candidates[0] };
  }
  return undefined;
}

interface Found {
  readonly version: string | undefined;
}

async function commandVersion(
  { command, prints }: Extract<ToolCandidate, { readonly prints: string }>,
  programs: Readonly<Record<string, string>>,
): Promise<Found | undefined> {
  const [name, ...args] = command;
  const printed = await readToolOutput(programs[name] ?? name, args);
  const match = printed === undefined ? null : new RegExp(prints, 'm').exec(printed);
  return match === null ? undefined : { version: match[1] };
}

/** The output of a program; undefined if the program is missing, fails, or takes more than 10 s. */
export async function readToolOutput(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], { timeout: ANSWER_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 24 });
    return stdout;
  } catch {
    return undefined;
  }
}

/** By its place: a package need not export its package.json. */
function packageVersion(name: string, from: string): Found | undefined {
  for (const folder of createRequire(from).resolve.paths(name) ?? []) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
      const version: unknown = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
      return { version: typeof version === 'string' ? version : undefined };
    } catch {
      continue;
    }
  }
  return undefined;
}
