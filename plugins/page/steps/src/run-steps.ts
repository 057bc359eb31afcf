import { setTimeout as delay } from 'node:timers/promises';
import { limitSignal, matchesGlob, PlatenError } from '@platen/kernel';
import { type ActionParts, assertActing, carryOut, type NamedAction, urlOf } from '@platen/lib-actions';
import type { Sight } from './in-page/index.js';
import { findElement, readLabel } from './find-element.js';
import { describeStep, shorten, type Step } from './parse-steps.js';
import type { Selector } from './selector.js';
import { takeEvidence } from './take-evidence.js';

/** Milliseconds between two looks for an element or an address. */
const LOOK_MS = 100;
/** Between two looks into closed shadow trees. */
const CLOSED_MS = 2_000;
/** A page may open dialogs without an end. */
const MAX_DIALOGS = 50;
/** The page has rendered the element anew, or it has opened a dialog before. */
const PASSING = /^(?:e\d+ is gone$|the page (?:opened|shows) a dialog)/;
/** Of the time that is left for what follows the steps, at most. */
const REST_MS = 5_000;
/** A feed without an end is scrolled so far. */
const MAX_SCREENS = 100;

/** Characters: an address may be a document. */
const [MAX_URL, MAX_SHOWN_URL, MAX_REASON] = [2000, 200, 500];

/** Why a step failed: a clause for the client. */
class StepError extends Error {
  override readonly name = 'StepError';
}

/** Takes the steps in order. @throws PlatenError `step_failed` with an image of that moment */
export async function runSteps(steps: readonly Step[], parts: ActionParts): Promise<void> {
  const { context, actor, navigation } = parts;
  for (const [index, step] of steps.entries()) {
    const shown = describeStep(step, navigation.redact);
    assertActing(context);
    context.setWaitReason(shown);
    try {
      await new StepRun(step, parts, steps[index + 1]).take();
    } catch (error) {
      assertActing(context);
      if (!(error instanceof StepError)) throw error;
      const { page, picture } = await takeEvidence(parts);
      const url = shorten(navigation.redact(urlOf(actor)), MAX_URL);
      const why = shorten(navigation.redact(error.message), MAX_REASON);
      throw new PlatenError('step_failed', `${shown} failed at ${shorten(url, MAX_SHOWN_URL)}: ${why}`, {
        report: { step: step.place, done: index, url, page },
        ...(picture === undefined
          ? {}
          : { evidence: [{ name: 'step-failed', contentType: 'image/jpeg', extension: 'step-failed.jpg', body: picture }] }),
      });
    }
  }
}

class StepRun {
  readonly #step: Step;
  readonly #parts: ActionParts;
  readonly #next: Step | undefined;
  /** By `performance.now()`: a step ends before the time of the render, so that it can say why. */
  readonly #until: number;
  /** Texts that look like the name of a value, by names of their own. */
  readonly #literals = new Map<string, string>();

  constructor(step: Step, parts: ActionParts, next: Step | undefined) {
    const { deadlineAt, plan } = parts.context;
    const waitMs = step.verb === 'wait' && typeof step.given === 'number' ? step.given * 1000 : 0;
    const restMs = Math.min(REST_MS, (plan.timeoutMs ?? Infinity) / 3);
    this.#step = step;
    this.#parts = parts;
    this.#next = next;
    this.#until = Math.min(performance.now() + waitMs + parts.limits.stepMs, deadlineAt - restMs);
  }

  async take(): Promise<void> {
    const { verb, given } = this.#step;
    if (verb === 'wait') await this.#wait();
    else if (verb === 'scroll' && given === 'bottom') await this.#scrollDown();
    else await this.#act();
    if (this.#next === undefined) await this.#dismissDialogs();
  }

  async #act(): Promise<void> {
    if (this.#leavesDialogs)
      await this.#lookFor(
        () => Promise.resolve(undefined),
        () => 'the page shows no dialog',
      );
    for (;;) {
      if (!this.#leavesDialogs) await this.#dismissDialogs();
      const action = await this.#toAction();
      const failure = action === undefined ? undefined : await this.#perform(action);
      if (failure === undefined) return;
      this.#assertPassing(failure);
    }
  }

  #assertPassing(failure: string): void {
    if (!PASSING.test(failure) || this.#leftMs() <= LOOK_MS)
      throw new StepError(failure.replace(/\be\d+\b/g, 'the element').replace('where you may go', 'where steps may go'));
  }

  /** A dialog is for the step that answers it, and ends a wait before that. */
  get #leavesDialogs(): boolean {
    const { verb } = this.#step;
    return verb === 'dialog' || (verb === 'wait' && this.#next?.verb === 'dialog');
  }

  /** As the browser does where no one listens. */
  async #dismissDialogs(): Promise<void> {
    const { actor } = this.#parts;
    for (let count = 0; actor.dialog !== undefined; count += 1) {
      if (count === MAX_DIALOGS) throw new StepError(`the page opens one dialog after the other: ${actor.dialog.message.slice(0, 100)}`);
      await this.#perform({ kind: 'dialog', accept: false });
    }
  }

  /** Looks until something is found. Undefined: there is a dialog that is left; others are dismissed. */
  async #lookFor<T>(look: () => Promise<T | undefined>, reason: () => string): Promise<T | undefined> {
    const { actor, context } = this.#parts;
    for (;;) {
      if (!this.#leavesDialogs) await this.#dismissDialogs();
      else if (actor.dialog !== undefined) return undefined;
      const found = await this.#untilDialog(look());
      if (found !== undefined) return found;
      assertActing(context);
      if (this.#leftMs() <= LOOK_MS) throw new StepError(reason());
      await delay(LOOK_MS, undefined, { signal: context.signal });
    }
  }

  /** Undefined once a dialog is open: the page does not respond. */
  async #untilDialog<T>(work: Promise<T>): Promise<T | undefined> {
    let stop = (): void => undefined;
    const opened = new Promise<undefined>((resolve) => {
      stop = this.#parts.actor.onDialog(() => resolve(undefined));
    });
    try {
      return await Promise.race([work, opened]);
    } finally {
      stop();
    }
  }

  /** Undefined once the step is done. */
  async #toAction(): Promise<NamedAction | undefined> {
    const { verb, given, at, to = [], options } = this.#step;
    const text = String(given);
    const value = this.#values(options.value);
    switch (verb) {
      case 'click': {
        const { button, count, modifiers } = options;
        const more = { ...(button && { button }), ...(count && { count }), ...(modifiers && { modifiers }) };
        return { kind: 'click', ref: await this.#target(), ...more };
      }
      case 'hover':
        return { kind: 'hover', ref: await this.#target() };
      case 'fill':
        return { kind: 'fill', ref: await this.#target(), value: value[0] ?? '' };
      case 'select':
        return { kind: 'select', ref: await this.#target(), values: value };
      case 'check':
      case 'uncheck':
        return { kind: 'check', ref: await this.#target(), on: verb === 'check' };
      case 'press':
        return { kind: 'press', keys: text, ...(at && { ref: await this.#find(at) }) };
      case 'type':
        return { kind: 'type', value: this.#literal(text), ...(at && { ref: await this.#find(at) }) };
      case 'scroll':
        return this.#scrollTo();
      case 'drag':
        return { kind: 'drag', from: await this.#target(), to: await this.#find(to) };
      case 'attach':
        return { kind: 'upload', ref: await this.#target('any'), files: [options.file ?? []].flat() };
      case 'goto':
        return { kind: 'goto', url: text };
      case 'back':
        return { kind: 'back' };
      case 'dialog':
        return { kind: 'dialog', accept: given === 'accept', ...(options.text !== undefined && { text: options.text }) };
      case 'tab':
        return { kind: 'tab', tab: `t${text}`, ...(options.close && { close: true }) };
      case 'wait':
        return undefined;
    }
  }

  #values(value: Step['options']['value'] = ''): readonly string[] {
    if (typeof value === 'object' && 'credential' in value) return [`credential:${value.credential}`];
    return [value].flat().map((text) => this.#literal(text));
  }

  #literal(text: string): string {
    if (!/^(?:credential|data|write):/.test(text)) return text;
    this.#literals.set(text, text);
    return `data:${text}`;
  }

  #target(sight: Sight = 'shown'): Promise<string> {
    return this.#find(this.#step.target ?? [], sight);
  }

  /** Waits for the element. Returns its ref, which is empty if the wait was ended by a dialog. */
  async #find(selector: Selector, sight: Sight = 'shown'): Promise<string> {
    const { actor, refs } = this.#parts;
    let closedAt = -Infinity;
    let matches = 0;
    const look = async () => {
      const isClosed = performance.now() - closedAt >= CLOSED_MS;
      const found = await findElement(actor.page, selector, { sight, isClosed });
      if (isClosed) closedAt = performance.now();
      // The others do not count those of closed trees.
      matches = isClosed ? found.matches : Math.max(matches, found.matches);
      return found.element && refs.refOf(found.element, await readLabel(actor.page, found.element));
    };
    return (await this.#lookFor(look, () => describeMisses(matches))) ?? '';
  }

  #leftMs(): number {
    return this.#until - performance.now();
  }

  /** Returns why it failed. */
  async #perform(action: NamedAction): Promise<string | undefined> {
    const stepMs = Math.max(1, this.#leftMs());
    const navigation = this.#literals.size === 0 ? this.#parts.navigation : { ...this.#parts.navigation, data: this.#literals };
    const { failure } = await carryOut(action, { ...this.#parts, navigation, limits: { stepMs }, step: 0, write: undefined });
    return failure;
  }

  async #wait(): Promise<void> {
    const { given, target } = this.#step;
    const { actor, context } = this.#parts;
    if (target !== undefined) await this.#find(target);
    else if (typeof given === 'string') {
      const look = () => Promise.resolve(matchesGlob(given, urlOf(actor)) ? true : undefined);
      await this.#lookFor(look, () => 'the address does not match');
    } else {
      const ms = Number(given) * 1000;
      const startedAt = performance.now();
      const leftMs = context.deadlineAt - startedAt;
      const reason = () => `so many seconds are not left of the timeout: ${(leftMs / 1000).toFixed(1)}`;
      if (ms > leftMs) throw new StepError(reason());
      const look = () => delay(Math.max(0, startedAt + ms - performance.now()), true, { signal: context.signal });
      await this.#lookFor(look, reason);
    }
    await actor.settle(context.signal);
  }

  async #scrollTo(): Promise<NamedAction | undefined> {
    const { dir, amount } = this.#step.options;
    const { actor, context, refs } = this.#parts;
    const ref = await this.#target();
    if (dir !== undefined) return { kind: 'scroll', ref, dir, ...(amount !== undefined && { amount }) };
    const { targetId, backendDOMNodeId: backendNodeId } = refs.find(ref) ?? {};
    const session = actor.page.targets.all.find((target) => target.targetId === targetId);
    await session?.send('DOM.scrollIntoViewIfNeeded', backendNodeId === undefined ? {} : { backendNodeId }).catch(() => undefined);
    await actor.settle(context.signal);
    return undefined;
  }

  /** Screen by screen, so that what loads on the way is loaded; until the end of the page, or until the time is up. */
  async #scrollDown(): Promise<void> {
    const { actor, context } = this.#parts;
    using time = limitSignal(context.signal, Math.max(1, this.#leftMs()));
    for (let screens = 0; screens < MAX_SCREENS && !time.isUp; screens += 1) {
      await this.#dismissDialogs();
      if (await this.#untilDialog(actor.page.evaluate(isAtBottom))) return;
      const failure = await this.#perform({ kind: 'scroll', dir: 'down' });
      if (failure !== undefined) this.#assertPassing(failure);
    }
  }
}

function describeMisses(matches: number): string {
  if (matches === 0) return 'no element matches';
  return matches === 1 ? 'one element matches, but it is not visible' : `${String(matches)} elements match, but none of them is visible`;
}

/** Runs in the page; must not capture outer variables. */
function isAtBottom(): boolean {
  return scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
}
