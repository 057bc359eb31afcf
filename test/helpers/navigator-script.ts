import type { SeenRequest } from '@platen/lib-models/testing';
import type { ModelScript } from './model-server.js';

/** What a navigator is shown in one request. */
export interface ShownPage {
  /** Everything that it is sent. */
  readonly prompt: string;
  /** The text within the fence of the page. */
  readonly page: string;
  readonly images: number;
  readonly schema: unknown;
  /** The ref of an element by its role and name. */
  ref(role: string, name?: string): string;
}

export type ScriptedAction = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Chooses actions by what is shown. */
export type Turn = (shown: ShownPage) => readonly ScriptedAction[];

function readShown({ messages, system = '', schema }: SeenRequest): ShownPage {
  const texts = messages.flatMap((message) => message.texts);
  const prompt = [system, ...texts].join('\n');
  const [, page = ''] = /<page \w+>\n([^]*)<\/page>/.exec(texts.join('\n')) ?? [];
  return {
    ...{ prompt, page, schema },
    images: messages.flatMap(({ images }) => images).length,
    ref(role, name) {
      const named = name === undefined ? '' : ` ${JSON.stringify(name)}`;
      const line = page.split('\n').find((one) => one.trim().startsWith(`${role}${named} [ref=`));
      const [, ref] = /\[ref=(e\d+)\]/.exec(line ?? '') ?? [];
      if (ref === undefined) throw new Error(`the snapshot has no ${role}${named}:\n${page}`);
      return ref;
    },
  };
}

/** A navigator that takes these turns, one a request. A turn that throws is what the test reports. */
export function navigatorScript(turns: readonly Turn[]): { readonly script: ModelScript; readonly shown: readonly ShownPage[] } {
  const shown: ShownPage[] = [];
  const script: ModelScript = (seen, index) => {
    const page = readShown(seen);
    shown.push(page);
    const turn = turns[index];
    if (turn === undefined) throw new Error(`the script has ${String(turns.length)} turns only`);
    return { value: { actions: turn(page) } };
  };
  return { script, shown };
}

export const done = (answer = 'done'): ScriptedAction => ({ kind: 'done', answer, success: true });
