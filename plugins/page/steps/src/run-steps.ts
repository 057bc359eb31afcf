import { setTimeout as delay } from 'node:timers/promises';
import { limitSignal, matchesGlob, PlatenError } from '@platen/kernel';
import { type ActionParts, assertActing, carryOut, type NamedAction, urlOf } from '@platen/lib-actions';
import type { Sight } from './in-page/index.js';
import { findElement, readLabel } from './find-element.js';
import { describeStep, type Step } from './parse-steps.js';
import type { Selector } from './selector.js';
import { takeEvidence } from './take-evidence.js';

/** Milliseconds between two looks for an element or an address. */
const LOOK_MS = 100;
/** Of the time that is left for what follows the steps, at most. */
const REST_MS = 5_000;
/** A feed without an end is scrolled so far. */
const MAX_SCREENS = 100;

/** Why a step failed: a clause for the client. */
class StepError extends Error {
  override readonly name = 'StepError';
}

/** Takes the steps in order. @throws PlatenError `step_failed` with an image of that moment */
export async function runSteps(steps: readonly Step[], parts: ActionParts): Promise<void> {
  const { context, actor, navigation } = parts;
  for (const [index, step] of steps.entries()) {
    const shown = navigation.redact(describeStep(step));
    assertActing(context);
    context.setWaitReason(shown);
    try {
      await new StepRun(step, parts).take();
    } catch (error) {
      assertActing(context);
      if (!(error instanceof StepError)) throw error;
      const { page, picture } = await takeEvidence(parts);
      const url = navigation.redact(urlOf(actor));
      throw new PlatenError('step_failed', `${shown} failed at ${url}: ${navigation.redact(error.message)}`, {
        report: { step: step.place, done: index, url, page },
        ...(picture === undefined ? {} : { evidence: { name: 'step-failed', contentType: 'image/jpeg', extension: 'jpg', body: picture } }),
      });
    }
  }
}

class StepRun {
  readonly #step: Step;
  readonly #parts: ActionParts;
  /** By `performance.now()`: a step ends before the time of the render, so that it can say why. */
  readonly #until: number;
  /** Texts that look like the name of a value, by names of their own. */
  readonly #literals = new Map<string, string>();

  constructor(step: Step, parts: ActionParts) {
    const { deadlineAt, plan } = parts.context;
    const restMs = Math.min(REST_MS, (plan.timeoutMs ?? Infinity) / 3);
    this.#step = step;
    this.#parts = parts;
    this.#until = Math.min(performance.now() + parts.limits.stepMs, deadlineAt - restMs);
  }

  async take(): Promise<void> {
    const { verb, given } = this.#step;
    if (verb !== 'dialog') await this.#dismissDialogs();
    if (verb === 'wait') return this.#wait();
    if (verb === 'scroll' && given === 'bottom') return this.#scrollDown();
    for (;;) {
      const action = await this.#toAction();
      const failure = action === undefined ? undefined : await this.#perform(action);
      if (failure === undefined) return;
      // The page has rendered the element anew.
      if (!/^e\d+ is gone$/.test(failure) || this.#leftMs() <= LOOK_MS) throw new StepError(failure.replace(/\be\d+\b/g, 'the element'));
    }
  }

  /** As the browser does where no one listens. */
  async #dismissDialogs(): Promise<void> {
    while (this.#parts.actor.dialog !== undefined) await this.#perform({ kind: 'dialog', accept: false });
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

  /** Waits for the element. Returns its ref. */
  async #find(selector: Selector, sight: Sight = 'shown'): Promise<string> {
    const { actor, refs } = this.#parts;
    for (;;) {
      const { element, matches } = await findElement(actor.page, selector, sight);
      if (element !== undefined) return refs.refOf(element, await readLabel(actor.page, element));
      await this.#pause(() => describeMisses(matches));
    }
  }

  /** @throws StepError if the time is up */
  async #pause(reason: () => string): Promise<void> {
    assertActing(this.#parts.context);
    if (this.#leftMs() <= LOOK_MS) throw new StepError(reason());
    await delay(LOOK_MS, undefined, { signal: this.#parts.context.signal });
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
      while (!matchesGlob(given, urlOf(actor))) await this.#pause(() => 'the address does not match');
    } else {
      const seconds = Number(given);
      const leftMs = context.deadlineAt - performance.now();
      if (seconds * 1000 > leftMs) throw new StepError(`so many seconds are not left of the timeout: ${(leftMs / 1000).toFixed(1)}`);
      await delay(seconds * 1000, undefined, { signal: context.signal });
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
      if (await actor.page.evaluate(isAtBottom)) return;
      const failure = await this.#perform({ kind: 'scroll', dir: 'down' });
      if (failure !== undefined) throw new StepError(failure);
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
