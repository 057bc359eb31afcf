import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filterCompactRules, type IndexedCMPRuleset } from '@duckduckgo/autoconsent';
import { addSourceUrl, type ToolDeclaration } from '@platen/kernel';
import type { ModalFrame } from './modal-frames.js';

/** The outcome for a consent manager that the rules support. */
export interface KnownManager {
  /** The rule's name. */
  readonly name: string;
  /** Whether the notice was found and refused. */
  readonly refused: boolean;
}

const PACKAGE = '@duckduckgo/autoconsent';

/** Declared so that a trimmed build includes the files that are injected into pages. */
export const CONSENT_RULES = {
  id: 'consent_rules',
  candidates: [{ name: PACKAGE, package: PACKAGE }],
  fix: `npm install ${PACKAGE}`,
  from: import.meta.url,
} as const satisfies ToolDeclaration;

interface Library {
  readonly script: string;
  readonly rules: IndexedCMPRuleset;
}

let loading: Promise<Library> | undefined;

/**
 * Configuration: detects once, without retries. Later notices are found by the next pass. Disables the library's cosmetic rules, which hide
 * notices that the heuristics remove, and its own heuristics, which poll every 500 ms.
 */
const CONFIG = {
  enabled: true,
  autoAction: 'optOut',
  enablePrehide: false,
  enableCosmeticRules: false,
  enableGeneratedRules: true,
  detectRetries: 0,
  isMainWorld: false,
  enableHeuristicDetection: false,
  heuristicMode: 'off',
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false, waits: false },
} as const;

/** Runs in the page. Queues the library's messages in the isolated world until they are fetched. */
const OPEN_MAILBOX = `function () {
  const waiting = [];
  let wake = () => {};
  globalThis.autoconsentSendMessage = (message) => {
    waiting.push(message);
    wake();
    return Promise.resolve();
  };
  globalThis.platenMail = async (answers, ms) => {
    for (const answer of answers) void globalThis.autoconsentReceiveMessage(answer);
    if (waiting.length === 0) await new Promise((resolve) => { wake = resolve; setTimeout(resolve, ms); });
    return waiting.splice(0);
  };
}`;

interface Message {
  readonly type: string;
  readonly cmp?: string;
  readonly result?: boolean;
  readonly id?: string;
  readonly code?: string;
  readonly state?: { readonly lifecycle?: string };
}

/**
 * Lets the consent manager rules refuse a notice in one frame. Returns undefined if no rule applies. Never throws, since a frame may
 * disappear at any time.
 */
export async function refuseKnown(frame: ModalFrame, msLeft: () => number): Promise<KnownManager | undefined> {
  let seen: string | undefined;
  try {
    const { script, rules } = await (loading ??= load());
    const compact = filterCompactRules(rules, { url: frame.url, mainFrame: frame.main });
    await frame.callSource(OPEN_MAILBOX, []);
    // Not `eval` in the page, which its content security policy may forbid.
    await frame.session.send('Runtime.evaluate', { expression: addSourceUrl(script), contextId: frame.contextId }, { timeoutMs: msLeft() });
    let answers: readonly unknown[] = [{ type: 'initResp', config: CONFIG, rules: { autoconsent: [], compact } }];
    while (msLeft() > 0) {
      const messages = await exchange(frame, answers, msLeft());
      const evaluated: unknown[] = [];
      for (const { type, cmp, result, id, code, state } of messages) {
        if (type === 'popupFound') seen = cmp;
        if (type === 'optOutResult') return { name: cmp ?? '', refused: result === true };
        if (type === 'report' && state?.lifecycle === 'nothingDetected') return undefined;
        if (type === 'eval') evaluated.push({ type: 'evalResp', id, result: await evaluateInFrame(frame, code ?? '', msLeft()) });
      }
      answers = evaluated;
    }
  } catch {
    // The frame is gone or busy. The heuristics check the page separately.
  }
  return seen === undefined ? undefined : { name: seen, refused: false };
}

async function load(): Promise<Library> {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(PACKAGE));
  const [script, rules] = await Promise.all([
    readFile(join(folder, 'autoconsent.playwright.js'), 'utf8'),
    readFile(require.resolve(`${PACKAGE}/rules/compact-rules.json`), 'utf8'),
  ]);
  // The package's own file, in the version pinned by package.json.
  return { script, rules: JSON.parse(rules) as IndexedCMPRuleset };
}

async function exchange(frame: ModalFrame, answers: readonly unknown[], ms: number): Promise<readonly Message[]> {
  const messages = await frame.callSource('function (answers, ms) { return platenMail(answers, ms); }', [answers, Math.max(0, ms)]);
  // Messages of the library, from an isolated world that the page cannot access.
  return messages as readonly Message[];
}

/** Evaluates one of the library's snippets in the page's main world, where the consent managers' scripts are. */
async function evaluateInFrame({ session, contextId }: ModalFrame, code: string, ms: number): Promise<unknown> {
  const bound = { timeoutMs: Math.max(1, ms) };
  try {
    const { result: own } = await session.send('Runtime.evaluate', { expression: 'document', contextId }, bound);
    const { node } = await session.send('DOM.describeNode', { objectId: own.objectId ?? '' }, bound);
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId }, bound);
    const { result } = await session.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: addSourceUrl(`function () { return (${code}); }`),
        objectId: object.objectId ?? '',
        returnByValue: true,
        awaitPromise: true,
      },
      bound,
    );
    return result.value;
  } catch {
    return false;
  }
}
