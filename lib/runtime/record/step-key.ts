import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';

/**
 * Keys of steps. They depend on the order of calls alone, never on what finishes first, so that a resumed run finds the
 * same steps again.
 *
 *   lead#m3        the third model call of instance `lead`
 *   lead#t7        its seventh tool call
 *   lead#h2        the second run of one of its phase hooks
 *   lead#s1        its first setup
 *   lead#d2        the second decision of a workflow
 *   lead#b1        the question whether the run may spend more
 *   lead#c1        the conversation that the run continues
 *   lead#t7.h1     the first hook that wraps the tool call; the number is its place in the whole chain
 *   lead#t7.r2     the tool, called again by a hook that retries
 *   lead#t7.r2.h2  the second hook of the chain, run again by a hook that retries
 *   lead#t7.s1     the first model call that the tool asked for
 *   lead#t7.q      what the server of the tool asks people
 *   lead#t7.w      the question whether to wait for its server
 */
export function stepKey(path: InstancePath, kind: 'm' | 't' | 'h' | 's' | 'd' | 'b' | 'c', n: number): StepKey {
  return brandAs<StepKey>(`${path}#${kind}${n}`);
}

/** Returns the key of the n-th model call that a tool asks for while it runs. */
export function sampleKey(call: StepKey, n: number): StepKey {
  return brandAs<StepKey>(`${call}.s${n}`);
}

/** Returns the key of the question whether a call waits for its server. */
export function serverWaitKey(call: StepKey): StepKey {
  return brandAs<StepKey>(`${call}.w`);
}

/** Returns the key of what the server of a call asks people. */
export function serverQuestionKey(call: StepKey): StepKey {
  return brandAs<StepKey>(`${call}.q`);
}

/**
 * Returns the key of one execution of a call's tool or, with `place`, of the hook at that place. `retries` is made with
 * `retryOf` and is empty at first.
 */
export function keyInCall(call: StepKey, retries: string, place?: number): StepKey {
  return brandAs<StepKey>(place === undefined ? `${call}${retries}` : `${call}${retries}.h${place}`);
}

/**
 * Names the retries that lead to the n-th execution below a hook. `.r2.r3` is the third execution below a hook that itself
 * ran again.
 */
export function retryOf(retries: string, n: number): string {
  return n === 1 ? retries : `${retries}.r${n}`;
}

/**
 * Returns the tool call that a hook or a model call belongs to, such as `lead#t7` for `lead#t7.h1`; `undefined` for any
 * other step.
 */
export function callAround(step: string): string | undefined {
  return /^(.*#t\d+)\..*$/.exec(step)?.[1];
}

/** True for a model call that a tool asked for. */
export function isSample(step: string): boolean {
  return step.includes('.s') && /#t[^#]*\.s\d+$/.test(step);
}

/** Returns the place of a hook in the chain of its tool call, and 0 for every other step. */
export function hookPlace(step: string): number {
  return Number(/\.h(\d+)$/.exec(step)?.[1] ?? 0);
}

/** Returns the number of a step, such as 7 for `lead/kid[2]#t7`; `undefined` for a step within a tool call. */
export function ordinalOf(step: string): number | undefined {
  const digits = /#[a-z]+(\d+)$/.exec(step);
  return digits === null ? undefined : Number(digits[1]);
}

/** Returns the step `offset` places after one of the same kind and instance: `lead#t9` for `lead#t7` and 2. */
export function consecutiveStep(step: StepKey, offset: number): StepKey {
  const number = ordinalOf(step);
  return number === undefined ? step : brandAs<StepKey>(step.replace(/\d+$/, String(number + offset)));
}

/** True for the steps of this very instance, not of its children. */
export function isStepOf(step: string, path: InstancePath): boolean {
  return step.startsWith(`${path}#`);
}

/**
 * Returns the step whose streamed text ends with an event; `undefined` for an event that ends none. The text of a remote
 * agent ends with its instance.
 */
export function endedTextStep(event: {
  readonly kind: string;
  readonly path?: InstancePath | undefined;
  readonly step?: string | undefined;
}): string | undefined {
  const { kind, path, step } = event;
  if (kind === 'model.ended') return step;
  return kind === 'instance.ended' && path !== undefined ? stepKey(path, 'd', 1) : undefined;
}
