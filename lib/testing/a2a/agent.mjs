// The agent of server.mjs. The first word of a message chooses what it does; `…` is the rest of the message.
//   echo …    a plain message, with the kinds of its parts
//   task …    a task: a status, an artifact in two pieces, the end
//   wait …    a task with one piece of text, which ends when it is released
//   mute      nothing until it is released
//   parts     a task whose artifacts hold a link, data and a file
//   replace   a task whose artifact is replaced, then continued
//   leak      a task that repeats the Authorization header that it was sent
//   big       an artifact of 10 million characters
//   flood     one million states
//   ask …     a task that asks for which day, and ends when it is told
//   failed rejected canceled input-required auth-required    a task that ends in this state
import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';

export const seen = { requests: [], messages: [], cancelled: [] };
const waiting = new Set();

export function release() {
  for (const wake of waiting) wake();
  waiting.clear();
}

export function reset() {
  release();
  for (const list of Object.values(seen)) list.length = 0;
}

const states = {
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  canceled: TaskState.TASK_STATE_CANCELED,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  'auth-required': TaskState.TASK_STATE_AUTH_REQUIRED,
};

const text = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' });

export const agent = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const { messageId, parts } = userMessage;
    const words = parts.map(({ content }) => (content.$case === 'text' ? content.value : '')).join('');
    const kinds = parts.map(({ content }) => content.$case);
    seen.messages.push({ messageId, words, kinds });
    const talk = talkOf(taskId, contextId, bus);
    if (asking.delete(taskId)) {
      talk.begin();
      talk.state(completed, `Booked for ${words}.`);
      return bus.finished();
    }
    const [command] = words.split(' ');
    await (commands[command] ?? commands.echo)(talk, { words, kinds, command });
    bus.finished();
  },
  async cancelTask(taskId, bus) {
    seen.cancelled.push(taskId);
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId: '',
        status: statusOf(TaskState.TASK_STATE_CANCELED),
        metadata: undefined,
      }),
    );
    release();
  },
};

function statusOf(state, message) {
  return { state, message, timestamp: undefined };
}

function talkOf(taskId, contextId, bus) {
  const message = (parts) => ({
    messageId: `${taskId}-m`,
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  return {
    taskId,
    say: (parts) => bus.publish(AgentEvent.message({ ...message(parts), taskId: '' })),
    begin: () =>
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: statusOf(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      ),
    state: (state, words) =>
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: statusOf(state, words === undefined ? undefined : message([text(words)])),
          metadata: undefined,
        }),
      ),
    artifact: (artifactId, parts, append = false) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: { artifactId, name: artifactId, description: '', parts, metadata: undefined, extensions: [] },
          append,
          lastChunk: false,
          metadata: undefined,
        }),
      ),
    released: () => new Promise((resolve) => waiting.add(resolve)),
  };
}

const working = TaskState.TASK_STATE_WORKING;
const completed = TaskState.TASK_STATE_COMPLETED;

function endingIn(state) {
  return async (talk) => {
    talk.begin();
    talk.state(state, 'This is why.');
  };
}

/** The tasks that wait for an answer. */
const asking = new Set();

const commands = {
  async ask(talk) {
    talk.begin();
    asking.add(talk.taskId);
    talk.state(TaskState.TASK_STATE_INPUT_REQUIRED, 'For which day?');
  },
  async echo(talk, { words, kinds }) {
    talk.say([text(`${words} [${kinds.join(',')}]`)]);
  },
  async task(talk, { words }) {
    talk.begin();
    talk.state(working, 'Thinking about it.');
    talk.artifact('answer', [text('Done: ')]);
    talk.artifact('answer', [text(words.slice(5))], true);
    talk.state(completed);
  },
  async wait(talk, { words }) {
    talk.begin();
    talk.state(working);
    talk.artifact('answer', [text('first, ')]);
    await talk.released();
    talk.artifact('answer', [text(words.slice(5))], true);
    talk.state(completed);
  },
  async mute(talk) {
    await talk.released();
    talk.say([text('late')]);
  },
  async parts(talk) {
    const empty = { metadata: undefined, filename: '', mediaType: '' };
    talk.begin();
    talk.artifact('files', [
      text('files:'),
      {
        ...empty,
        content: { $case: 'url', value: 'https://example.com/report.pdf' },
        filename: 'report.pdf',
        mediaType: 'application/pdf',
      },
      { ...empty, content: { $case: 'data', value: { ok: true, count: 2 } } },
      { ...empty, content: { $case: 'raw', value: Buffer.from('abc') }, filename: 'note.txt', mediaType: 'text/plain' },
    ]);
    talk.state(completed);
  },
  async replace(talk) {
    talk.begin();
    talk.artifact('a', [text('draft')]);
    talk.artifact('b', [text('again')]);
    talk.artifact('a', [text('final')]);
    talk.artifact('a', [text(' word')], true);
    talk.state(completed);
  },
  async leak(talk) {
    talk.begin();
    const { authorization = 'nothing' } = seen.requests.at(-1).headers;
    talk.state(working, `I was sent ${authorization}`);
    talk.artifact('answer', [text(`You sent ${authorization}`)]);
    talk.state(completed);
  },
  async big(talk) {
    talk.begin();
    for (let part = 0; part < 10; part += 1) talk.artifact('big', [text('x'.repeat(1_000_000))], true);
    talk.state(completed);
  },
  async flood(talk) {
    talk.begin();
    for (let at = 0; at < 1_000; at += 1)
      talk.state(at % 2 === 0 ? working : TaskState.TASK_STATE_SUBMITTED, `step ${at}`);
    talk.artifact('answer', [text('done')]);
    talk.state(completed);
  },
  ...Object.fromEntries(Object.entries(states).map(([name, state]) => [name, endingIn(state)])),
};
