import type { InstancePath, PendingId, RunId, StepKey } from '@/lib/base/ids';
import type { ItemEnd, PendingQuestion } from '@/lib/base/pending';
import { pendingId } from '@/lib/base/pending-id';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { RecordedQuestions } from '@/lib/runtime/record/recorded-questions';
import { callAround } from '@/lib/runtime/record/step-key';

/** A question before it has an id. */
export type Question = Omit<PendingQuestion, 'item' | 'path' | 'step'>;

/**
 * The questions that a run asks people, and how they ended. A question is recorded once, however many workers wait for its
 * answer.
 *
 *   lead#t7 asks    ordinal 1 ▶ not in the log          → person.asked
 *                             ▶ in the log, open        → waits again
 *                             ▶ in the log, ended       → its end
 *                             ▶ asked something else    → withdrawn, and ordinal 2
 */
export class Questions {
  private readonly runId: RunId;
  private readonly events: EventSink;
  private readonly journal: RecordedQuestions;
  /** Counts the questions of each step in this execution. */
  private readonly counts = new Map<StepKey, number>();
  private readonly open = new Map<PendingId, PendingQuestion>();
  /** How questions ended in this execution. */
  private readonly ends = new Map<PendingId, ItemEnd>();
  /** The recorded questions of servers that this execution has asked again. */
  private readonly taken = new Set<PendingId>();

  constructor(runId: RunId, events: EventSink, journal: RecordedQuestions) {
    this.runId = runId;
    this.events = events;
    this.journal = journal;
    for (const [item, question] of journal.questions) {
      if (!journal.questionEnd(item)) this.open.set(item, question);
    }
  }

  /** The number of questions without an end. */
  get openCount(): number {
    return this.open.size;
  }

  /**
   * Asks the step's next question, unless the log has it. Returns its id, and its end if the log has that too. `wasAsked`: an earlier
   * execution asked it, so a person may have answered it since. Must be called in the same order in every execution of the step.
   */
  ask(
    path: InstancePath,
    step: StepKey,
    question: Question,
  ): { readonly item: PendingId; readonly end?: ItemEnd; readonly wasAsked?: true } {
    for (;;) {
      const ordinal = (this.counts.get(step) ?? 0) + 1;
      this.counts.set(step, ordinal);
      const item = pendingId(this.runId, step, ordinal);
      const recorded = this.journal.questions.get(item);
      if (!recorded) {
        const asked = { item, path, step, ...question };
        this.open.set(item, asked);
        this.events.append({ kind: 'person.asked', ...asked });
        return { item };
      }
      const end = this.endOf(item);
      if (end?.outcome === 'withdrawn') continue;
      if (asksTheSame(recorded, question)) return { item, ...(end && { end }), wasAsked: true };
      // An approval is for these arguments of this tool alone.
      if (!end) this.end(item, { outcome: 'withdrawn' });
    }
  }

  /**
   * Asks what a server asks in a call. The log's question is the same if it asks the same, in whatever order: a server that is
   * called again may ask in another one. `isOpen` says whether a call may still be asking; a question of another such call is
   * taken if only one fits, because older servers do not say which call asks.
   */
  askForServer(
    path: InstancePath,
    step: StepKey,
    question: Question,
    isOpen: (call: StepKey) => boolean,
  ): { readonly item: PendingId; readonly end?: ItemEnd } {
    const known = this.recordedOf(step, question, isOpen);
    if (known) {
      const { item } = known;
      this.taken.add(item);
      const end = this.endOf(item);
      return end ? { item, end } : { item };
    }
    let ordinal = this.counts.get(step) ?? 0;
    let item: PendingId;
    do {
      ordinal += 1;
      item = pendingId(this.runId, step, ordinal);
    } while (this.journal.questions.has(item));
    this.counts.set(step, ordinal);
    const asked = { item, path, step, ...question };
    this.open.set(item, asked);
    this.events.append({ kind: 'person.asked', ...asked });
    return { item };
  }

  private recordedOf(
    step: StepKey,
    question: Question,
    isOpen: (call: StepKey) => boolean,
  ): PendingQuestion | undefined {
    const fits = [...this.journal.questions.values()].filter(
      (one) =>
        one.what === question.what &&
        one.argumentsHash === question.argumentsHash &&
        !this.taken.has(one.item) &&
        this.endOf(one.item)?.outcome !== 'withdrawn',
    );
    const own = fits.find((one) => one.step === step);
    if (own || question.server?.waits !== true) return own;
    const others = fits.filter((one) => isOpen(one.step));
    return others.length === 1 ? others[0] : undefined;
  }

  /** Records how a question ended. A question that has ended stays as it is. */
  end(item: PendingId, end: ItemEnd): void {
    const question = this.open.get(item);
    if (!question) return;
    this.open.delete(item);
    this.ends.set(item, end);
    const { path, step } = question;
    this.events.append({ kind: 'person.answered', path, step, item, ...end });
  }

  /** Returns the open questions that a call has asked. */
  openOf(call: StepKey): readonly PendingQuestion[] {
    return [...this.open.values()].filter(({ step }) => step === call || callAround(step) === call);
  }

  private endOf(item: PendingId): ItemEnd | undefined {
    return this.ends.get(item) ?? this.journal.questionEnd(item);
  }

  /** Withdraws the open questions of a call that has ended. */
  withdrawCall(call: StepKey): void {
    this.withdraw(({ step }) => step === call || callAround(step) === call);
  }

  /** Withdraws the open questions of an instance that has ended. */
  withdrawInstance(path: InstancePath): void {
    this.withdraw((question) => question.path === path);
  }

  /** Withdraws every open question. */
  withdrawAll(): void {
    this.withdraw(() => true);
  }

  private withdraw(isMeant: (question: PendingQuestion) => boolean): void {
    if (this.open.size === 0) return;
    for (const [item, question] of this.open) if (isMeant(question)) this.end(item, { outcome: 'withdrawn' });
  }
}

function asksTheSame(recorded: Question, now: Question): boolean {
  return (
    recorded.what === now.what &&
    recorded.argumentsHash === now.argumentsHash &&
    recorded.tool?.schemaHash === now.tool?.schemaHash
  );
}
