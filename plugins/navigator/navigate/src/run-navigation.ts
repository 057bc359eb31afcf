import { isPlatenError, PlatenError, type RenderContext, withTimeout } from '@platen/kernel';
import {
  assertActing,
  carryOut,
  type Credentials,
  type GivenFile,
  type NamedAction,
  type Outcome,
  urlOf,
  type UrlScope,
} from '@platen/lib-actions';
import type { Actor } from '@platen/lib-actor';
import { askForRender, type Model, type ModelRequest, type Part } from '@platen/lib-models';
import type { RefTable } from '@platen/lib-view';
import { answerSchema, describeAction, readActions } from './answer.js';
import type { ScopeGuard } from './enforce-scope.js';
import { askVerdict, describeGoal, type Goal, isReached, VERDICT_RULES, VERDICT_SCHEMA, type Verdict } from './goal.js';
import type { ModelAction, Navigation, NavigationReport } from './keys.js';
import type { Navigators } from './navigators.js';
import { systemRules, WRITER_RULES, writeInstruction, writeStep, writeTask } from './prompt.js';
import { seePage } from './see-page.js';
import { createTurns, type Turns } from './turns.js';

export interface NavigationLimits {
  readonly maxSteps: number;
  /** Steps with an unchanged URL; 0: no limit. */
  readonly stall: number;
  /** Milliseconds for an answer, and for an action. */
  readonly stepMs: number;
  readonly escalationMax: number;
}

export interface NavigationParts {
  readonly context: RenderContext;
  readonly actor: Actor;
  readonly refs: RefTable;
  readonly navigators: Navigators;
  readonly navigation: Navigation;
  readonly task: string;
  readonly goal: Goal;
  readonly scope: UrlScope;
  readonly guard: ScopeGuard;
  readonly credentials: Credentials;
  readonly files: readonly GivenFile[];
  readonly hasLabels: boolean;
  readonly limits: NavigationLimits;
}

type NavigationEnd = Pick<NavigationReport, 'status' | 'answer'>;

/** A navigator may claim this often that a goal is reached which is not. */
const MAX_CLAIMS = 3;
/** Answers in a row that cannot be carried out. */
const MAX_INVALID = 3;

/** Asks navigators for actions and carries them out, until the goal is reached or a limit. */
export async function runNavigation(parts: NavigationParts): Promise<NavigationReport> {
  return new NavigationRun(parts).run();
}

class NavigationRun {
  readonly #parts: NavigationParts;
  readonly #turns: Turns;
  readonly #task: string;
  readonly #history: string[] = [];
  #notices: string[] = [];
  #step = 0;
  #claims = 0;
  #invalid = 0;
  /** The URL, the number of steps since it changed, and their actions. */
  #still: { readonly url: string; readonly actions: string[]; steps: number } = { url: '', actions: [], steps: 0 };
  #seen: readonly Part[] = [];

  constructor(parts: NavigationParts) {
    const { navigators, limits, navigation, goal, files, task } = parts;
    this.#parts = parts;
    this.#turns = createTurns(navigators, limits.escalationMax);
    const names = files.map(({ name }) => name);
    const condition = describeGoal(goal);
    this.#task = writeTask({ goal: task, condition, data: navigation.data, files: names, others: navigators.others });
  }

  async run(): Promise<NavigationReport> {
    const { limits, context } = this.#parts;
    this.#still = { url: this.#url(), actions: [], steps: 0 };
    while (this.#step < limits.maxSteps) {
      assertActing(context);
      if (await this.#isReached()) return this.#end({ status: 'reached', answer: `The goal is reached at ${this.#url()}` });
      this.#step += 1;
      const { isGuest } = this.#turns;
      const end = await this.#takeStep();
      const counts = { done: this.#step, queued: limits.maxSteps - this.#step, failed: 0, bytes: 0 };
      context.progress({ unit: 'step', ...counts, url: this.#url(), note: this.#history.at(-1) });
      if (end !== undefined) return this.#end(end);
      // Its turn has a limit of its own.
      if (isGuest) continue;
      const stalled = this.#checkStall(this.#url());
      if (stalled !== undefined) return this.#end(stalled);
    }
    if (await this.#isReached()) return this.#end({ status: 'reached', answer: `The goal is reached at ${this.#url()}` });
    return this.#end({
      status: 'max_steps',
      answer: `${String(limits.maxSteps)} steps are the limit (navigator_max_steps), of which the last one can only end`,
    });
  }

  #url(): string {
    const { actor, navigation } = this.#parts;
    return navigation.redact(urlOf(actor));
  }

  /** A dialog blocks the page; a page that does not respond has not reached it. */
  async #isReached(): Promise<boolean> {
    const { goal, actor, limits } = this.#parts;
    const shown = { url: urlOf(actor), page: actor.page };
    return actor.dialog === undefined && (await withTimeout(isReached(goal, shown), limits.stepMs)) === true;
  }

  #end(end: NavigationEnd): NavigationReport {
    const { navigation } = this.#parts;
    return { ...end, answer: navigation.redact(end.answer), steps: this.#step, url: this.#url(), history: this.#history };
  }

  /** One answer of a navigator, and its actions. Returns how the navigation ends, if it does. */
  async #takeStep(): Promise<NavigationEnd | undefined> {
    const { context, limits } = this.#parts;
    const { current } = this.#turns;
    context.setWaitReason(`the navigator "${current.name}" in step ${String(this.#step)} of ${String(limits.maxSteps)}`);
    this.#seen = await this.#see(current);
    const actions = await this.#askActions(current);
    if (typeof actions === 'string') {
      this.#noteInvalid(actions);
      return undefined;
    }
    this.#invalid = 0;
    for (const action of actions) {
      const result = await this.#carryOut(action);
      if (result === 'next') continue;
      return result === 'stop' ? undefined : result;
    }
    return undefined;
  }

  #see({ vision }: Model): Promise<readonly Part[]> {
    const { actor, refs, scope, navigation, hasLabels, context, limits } = this.#parts;
    return seePage({ actor, refs, scope, redact: navigation.redact, hasLabels, vision, timeoutMs: limits.stepMs, signal: context.signal });
  }

  /** The actions of the next answer; a text is the error. */
  async #askActions(model: Model): Promise<readonly ModelAction[] | string> {
    const { credentials, files, navigators, goal, limits, actor } = this.#parts;
    const isLast = this.#step === limits.maxSteps;
    const schema = answerSchema({
      // An action may reach a goal that the page shows.
      endOnly: isLast && (goal.by === 'navigator' || goal.by === 'question'),
      hasFiles: files.length > 0,
      navigators: isLast ? [] : this.#turns.others,
    });
    const facts = { task: this.#task, history: this.#history, notices: this.#notices, step: this.#step, maxSteps: limits.maxSteps };
    const messages = writeStep({ ...facts, credentials: credentials.namesFor(urlOf(actor)), page: this.#seen });
    this.#notices = [];
    try {
      return readActions(await this.#ask(model, { system: systemRules(navigators.writer !== undefined), messages, schema }));
    } catch (error) {
      this.#parts.context.signal.throwIfAborted();
      if (!isPlatenError(error)) throw error;
      if (error.code === 'llm_output_invalid' && this.#invalid + 1 < MAX_INVALID) return error.message;
      if (!this.#turns.drop()) throw error;
      this.#invalid = 0;
      this.#history.push(`${String(this.#step)}. the navigator "${model.name}" failed -> "${this.#turns.current.name}" continues`);
      return '';
    }
  }

  #noteInvalid(problem: string): void {
    this.#still.actions.push('invalid');
    if (problem === '') return;
    this.#invalid += 1;
    this.#notices.push(`your last answer was not valid: ${problem}`);
    this.#history.push(`${String(this.#step)}. an answer -> not valid`);
    if (this.#invalid < MAX_INVALID) return;
    this.#invalid = 0;
    if (this.#turns.drop()) return;
    throw new PlatenError(
      'llm_output_invalid',
      `the navigator gave ${String(MAX_INVALID)} answers in a row that are not valid: ${problem}`,
    );
  }

  async #ask(model: Model, request: ModelRequest): Promise<unknown> {
    const { context, limits } = this.#parts;
    const message = `a navigator was asked in step ${String(this.#step)}`;
    const { value, text } = await askForRender(model, { ...request, lenient: true }, { context, timeoutMs: limits.stepMs, message });
    return request.schema === undefined ? text : value;
  }

  async #carryOut(action: ModelAction): Promise<'next' | 'stop' | NavigationEnd> {
    if (action.kind === 'done') return this.#claim(action);
    if (action.kind === 'fail') {
      this.#history.push(`${String(this.#step)}. fail`);
      return { status: 'failed', answer: action.reason };
    }
    if (action.kind === 'escalate') return this.#escalate(action);
    const before = this.#url();
    const { performed, failure, notice } = await this.#perform(action);
    if (notice !== undefined) this.#notices.push(notice);
    const url = this.#url();
    this.#note(action, { performed, failure });
    const isOver = this.#turns.acted(url);
    const isElsewhere = url !== before || performed?.openedTab !== undefined || performed?.closedTab !== undefined;
    return isOver || failure !== undefined || isElsewhere || performed?.dialog !== undefined ? 'stop' : 'next';
  }

  /** The navigator says that it is done. */
  async #claim({ answer, success }: Extract<ModelAction, { readonly kind: 'done' }>): Promise<'stop' | NavigationEnd> {
    const reason = success ? await this.#contradict() : undefined;
    if (reason === undefined) {
      this.#history.push(`${String(this.#step)}. done`);
      return { status: success ? 'reached' : 'failed', answer };
    }
    this.#claims += 1;
    this.#history.push(`${String(this.#step)}. done -> not accepted`);
    if (this.#claims === MAX_CLAIMS) return { status: 'failed', answer: `the goal is not reached: ${reason}` };
    this.#notices.push(`the goal is not reached: ${reason}`);
    return 'stop';
  }

  /** Why the goal is not reached; undefined if it is. */
  async #contradict(): Promise<string | undefined> {
    const { goal, navigators } = this.#parts;
    if (goal.by === 'navigator') return undefined;
    if (goal.by !== 'question') return (await this.#isReached()) ? undefined : 'its condition is not met';
    const messages = askVerdict(goal.question, await this.#see(navigators.first));
    // By the schema.
    const { reached, reason } = (await this.#ask(navigators.first, { system: VERDICT_RULES, messages, schema: VERDICT_SCHEMA })) as Verdict;
    return reached ? undefined : reason;
  }

  #escalate({ to, reason }: Extract<ModelAction, { readonly kind: 'escalate' }>): 'stop' {
    const isKnown = this.#turns.escalate(to, this.#url());
    this.#history.push(`${String(this.#step)}. escalate to ${to} -> ${isKnown ? 'ok' : 'there is no such navigator'}`);
    this.#notices.push(isKnown ? `you were asked for help: ${reason}` : `there is no navigator "${to}"`);
    return 'stop';
  }

  /** Carries out an action by name of its values. */
  async #perform(action: NamedAction): Promise<Outcome> {
    const { writer } = this.#parts.navigators;
    const write = async (model: Model, instruction: string) =>
      String(await this.#ask(model, { system: WRITER_RULES, messages: writeInstruction(instruction, this.#task, this.#seen) }));
    return carryOut(action, {
      ...this.#parts,
      step: this.#step,
      write: writer === undefined ? undefined : (instruction: string) => write(writer, instruction),
    });
  }

  #note(action: NamedAction, { performed, failure }: Pick<Outcome, 'performed' | 'failure'>): void {
    const { navigation } = this.#parts;
    const { element } = performed ?? {};
    const named = element === undefined ? '' : ` (${element.role} ${JSON.stringify(navigation.redact(element.name))})`;
    const tab = performed?.openedTab === undefined ? '' : `, opened tab ${performed.openedTab}`;
    const dialog = performed?.dialog === undefined ? '' : `, a dialog opened`;
    const url = this.#url();
    const moved = url === this.#still.url ? '' : `, url ${url.slice(0, 300)}`;
    const outcome = failure === undefined ? `ok${moved}${tab}${dialog}` : `failed: ${failure}`;
    this.#history.push(`${String(this.#step)}. ${describeAction(action)}${named} -> ${outcome}`);
    // The same element may have another ref once it was rendered anew.
    const { why: _why, ...members } = action;
    const parts = element === undefined ? members : { ...members, ref: [element.role, element.name] };
    this.#still.actions.push(JSON.stringify(parts));
  }

  /** After too many steps on one page: the next navigator acts, or the navigation ends if it repeats one action. */
  #checkStall(url: string): NavigationEnd | undefined {
    const { stall } = this.#parts.limits;
    if (url !== this.#still.url) {
      this.#still = { url, actions: [], steps: 0 };
      return undefined;
    }
    this.#still.steps += 1;
    if (stall === 0 || this.#still.steps < stall) return undefined;
    const next = this.#turns.next();
    if (next !== undefined && this.#turns.escalate(next.name, url)) {
      this.#history.push(`${String(this.#step)}. no progress on this page -> "${next.name}" acts`);
      this.#still = { url, actions: [], steps: 0 };
      return undefined;
    }
    const repeated = this.#still.actions.slice(-stall);
    if (new Set(repeated).size !== 1) return undefined;
    return { status: 'stalled', answer: `${String(stall)} steps repeated one action on the same page (navigator_stall_escalation)` };
  }
}
