import type { Artifact, Message, StreamResponse, Task, TaskStatus } from '@a2a-js/sdk';
import { AgentFault, shortened } from './agent-fault';
import { type ArtifactText, messageText, noArtifactText, withParts } from './parts';

/** A state of a task, in the words of A2A 0.3. */
export type TaskWord = (typeof words)[number];

/** The states by the numbers of `TaskState` in a2a.proto. */
const words = [
  'unspecified',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
] as const;

function wordOf(status: TaskStatus | undefined): TaskWord {
  const names: readonly TaskWord[] = words;
  return names[status?.state ?? 0] ?? 'unspecified';
}

/** After one of these states nothing more comes without a new message. */
const lastWords: ReadonlySet<TaskWord> = new Set([
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
]);

export interface RemoteTask {
  readonly taskId: string;
  readonly contextId?: string;
  readonly state: TaskWord;
}

export interface AnswerEvents {
  /** Called when a task got another state, but only a limited number of times. */
  onTask(task: RemoteTask): void;
  /** Called with text that was added to the answer. */
  onText(text: string): void;
  /** Called with a sentence of the agent about its work, but only a limited number of times. */
  onStatus(text: string): void;
}

const maxNotes = 100;
const maxIdChars = 1_000;

/**
 * Folds the events of a task, or a plain message, into an answer: the text of the messages, then that of each artifact in the
 * order of their first parts. An artifact that comes again replaces its text, or with `append` continues it.
 */
export class RemoteAnswer {
  task: RemoteTask | undefined;
  /** The last text of the agent about its state. */
  status = '';
  private readonly messages: string[] = [];
  private readonly artifacts = new Map<string, ArtifactText>();
  private size = 0;
  private notes = 0;
  private hasSaid = false;

  constructor(
    private readonly events: AnswerEvents,
    private readonly maxChars: number,
  ) {}

  /** True if the task has ended or waits for people, or there is only a message. */
  get isOver(): boolean {
    return this.task === undefined ? this.messages.length > 0 : lastWords.has(this.task.state);
  }

  /** True if the task waits for people. */
  get waits(): boolean {
    return this.task?.state === 'input-required' || this.task?.state === 'auth-required';
  }

  get text(): string {
    return [...this.messages, ...[...this.artifacts.values()].map(({ text }) => text)]
      .filter((text) => text !== '')
      .join('\n');
  }

  /** Changes with each event that brings something new. */
  get progress(): string {
    return `${this.size} ${this.task?.state} ${this.status.length}`;
  }

  take({ payload }: StreamResponse): void {
    switch (payload?.$case) {
      case 'message':
        this.takeMessage(payload.value);
        break;
      case 'task':
        this.takeTask(payload.value);
        break;
      case 'statusUpdate': {
        const { taskId, contextId, status } = payload.value;
        this.takeStatus(taskId, contextId, status);
        break;
      }
      case 'artifactUpdate': {
        const { artifact, append } = payload.value;
        if (artifact !== undefined) this.takeArtifact(artifact, append);
      }
    }
  }

  takeMessage(message: Message): void {
    const text = messageText(message.parts);
    this.messages.push(text);
    this.grow(text.length);
    this.say(text, true);
  }

  takeTask({ id, contextId, status, artifacts }: Task): void {
    for (const artifact of artifacts) this.takeArtifact(artifact, false);
    this.takeStatus(id, contextId, status);
  }

  private takeStatus(taskId: string, contextId: string, status: TaskStatus | undefined): void {
    if (taskId === '' || taskId.length > maxIdChars || contextId.length > maxIdChars) {
      throw new AgentFault('a2a_bad_answer', 'sent a task without an id, or with one that is too long.');
    }
    const said = status?.message === undefined ? '' : messageText(status.message.parts);
    const isNew = said !== '' && said !== this.status;
    if (isNew) this.status = said.slice(0, this.maxChars);
    const state = wordOf(status);
    const before = this.task;
    this.task = { taskId, ...(contextId !== '' && { contextId }), state };
    if (isNew && !this.isOver && this.note()) this.events.onStatus(shortened(said));
    const isChanged = before?.state !== state || before.taskId !== taskId;
    if (isChanged && (this.note() || this.isOver)) this.events.onTask(this.task);
  }

  private takeArtifact(artifact: Artifact, append: boolean): void {
    const key = artifact.artifactId || artifact.name || String(this.artifacts.size);
    const known = this.artifacts.get(key);
    const next = withParts((append ? known : undefined) ?? noArtifactText, artifact.parts);
    const before = known?.text ?? '';
    if (next.text === before) return;
    this.artifacts.set(key, next);
    this.grow(next.text.length - before.length);
    // Text in the live view cannot be removed, so replaced text is sent only if it continues the old one. The finished
    // answer is always right.
    if (next.text.startsWith(before)) this.say(next.text.slice(before.length), before === '');
  }

  private say(text: string, isSeparate: boolean): void {
    if (text === '') return;
    this.events.onText(isSeparate && this.hasSaid ? `\n${text}` : text);
    this.hasSaid = true;
  }

  private grow(chars: number): void {
    this.size += chars;
    if (this.size <= this.maxChars) return;
    const most = this.maxChars.toLocaleString('en-US');
    throw new AgentFault(
      'a2a_answer_too_large',
      `sent an answer of more than ${most} characters. Ask for a shorter one.`,
    );
  }

  private note(): boolean {
    this.notes += 1;
    return this.notes <= maxNotes;
  }
}
