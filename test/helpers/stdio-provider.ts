import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLocal, registryOf } from '@platen/lib-models';
import type { ScriptedProvider, SeenRequest } from '@platen/lib-models/testing';

const PROGRAM = fileURLToPath(new URL('stdio-model.mjs', import.meta.url));

export interface StdioProvider extends ScriptedProvider {
  /** The process ids of all starts. */
  starts(): Promise<readonly number[]>;
  /** Ends the programs, as the end of a server does. */
  close(): void;
}

/** A local program that follows a script: answers of the protocol, or `die`, `hang`, `hold`, `garbage`. */
export async function provideByStdio(steps: readonly unknown[]): Promise<StdioProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'stdio-model-'));
  await writeFile(join(folder, 'steps.json'), JSON.stringify(steps));
  const outbound = { fetch: () => Promise.reject(new Error('a local model needs no network')) };
  const linesOf = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim().split('\n');
  const close = (): void => {
    for (const wire of registryOf({ outbound }).wires.values()) if (isLocal(wire)) wire.close();
  };
  return {
    outbound,
    sent: [],
    close,
    connection: ({ options = '' } = {}) => `stdio://${process.execPath}?model=test&arg=${PROGRAM}&arg=${folder}${options}`,
    seen: async () => (await linesOf('seen.jsonl')).map(readLine),
    starts: async () => (await linesOf('starts')).map(Number),
    async [Symbol.asyncDispose]() {
      close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Line extends Pick<SeenRequest, 'model' | 'system' | 'schema' | 'temperature'> {
  readonly max_tokens?: number;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
  }[];
}

function readLine(text: string): SeenRequest {
  const { model, system, schema, temperature, max_tokens: maxTokens, messages }: Line = JSON.parse(text);
  return {
    ...{ model, system, schema, temperature, maxTokens, key: undefined },
    messages: messages.map(({ role, content }) => ({
      role,
      texts: content.flatMap((part) => part.text ?? []),
      images: content.flatMap((part) => (part.data === undefined ? [] : [Buffer.from(part.data, 'base64')])),
    })),
  };
}
