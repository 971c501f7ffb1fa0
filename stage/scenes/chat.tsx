import { ChatClient } from '@/app/p/[project]/chat/chat-client';
import type { ChatChoices } from '@/components/chat/chat-services';
import { QueryProvider } from '@/components/shell/query-provider';
import type { ConversationInfo, TurnInfo } from '@/lib/base/conversation';
import { type Answers, ofCall, Refusal } from '@/stage/memory/backend';
import { type RecordedRun, type RunInput, recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices } from '@/stage/memory/run-services';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';
import { audited, failing, fanOut } from './run-folders';

const hour = 3_600_000;

const choices: ChatChoices = {
  ...{ entry: 'lead', agents: ['lead', 'kid'], defaultModel: undefined },
  models: { models: ['haiku', 'sonnet'], references: {}, hasScript: false },
  here: { variables: {}, projectEnv: {}, hasValues: false },
};

const conversation = (n: number, rest: Partial<ConversationInfo> = {}): ConversationInfo => ({
  ...{ id: `c${n}`, agent: 'lead', title: `Plan the trip to London, part ${n}`, runCount: n, status: 'completed' },
  ...{ updatedAt: Date.now() - n * hour, ...rest },
});

const listed: readonly ConversationInfo[] = [
  conversation(1),
  conversation(2, { status: 'failed', title: '' }),
  conversation(3, { status: null, runCount: 0, title: 'word '.repeat(40) }),
];

/** Returns a run as a turn of a conversation. */
function turnOf(run: RecordedRun, rest: Partial<TurnInfo> = {}): TurnInfo {
  const { status, message, answer = null, error = null, createdAt, finishedAt = null } = infoOf(run);
  return { runId: run.id, attachments: [], status, message, answer, error, createdAt, finishedAt, ...rest };
}

const files = [{ name: 'map-of-london-with-a-long-name.pdf', mediaType: 'application/pdf', bytes: 1_234_567 }];
const waiting: TurnInfo = {
  ...{ runId: 'waiting', message: 'And on Sunday?', attachments: [], status: 'queued', isInLine: true },
  ...{ answer: null, error: null, createdAt: Date.now(), finishedAt: null },
};

type Turn = Partial<TurnInfo> & { readonly input: RunInput };

const planned: Turn = {
  input: { files: fanOut(3), message: 'Plan the trip to London, two nights.' },
  attachments: files,
};
const failed: Turn = { input: { files: failing, message: 'By train, please.' } };
const goesOn: Turn = { input: { files: audited(4_000, 3_000), message: 'Count the nights again.', passed: 1_500 } };

interface Options {
  readonly list?: readonly ConversationInfo[];
  /** The turns of the first conversation. */
  readonly turns?: readonly Turn[];
  readonly last?: readonly TurnInfo[];
  readonly access?: typeof mayAll;
  readonly problem?: string;
}

async function answersOf({ list = [], turns = [], last = [] }: Options): Promise<Answers> {
  const runs = await Promise.all(
    turns.map(async (turn, n) => ({ turn, run: await recordRun(`run-${n + 1}`, turn.input) })),
  );
  const at = 'GET /api/v1/projects/desk/conversations';
  return {
    ...Object.assign({}, ...runs.map(({ run }) => runServices(run))),
    [at]: () => ({ conversations: list, next: null }),
    [`${at}/:conversation`]: ofCall(({ params }) => {
      const found = list.find(({ id }) => id === params.conversation);
      if (found === undefined) throw new Refusal('not_found', 'There is no such conversation.', 404);
      return {
        ...found,
        turns: [...runs.map(({ turn: { input, ...rest }, run }) => turnOf(run, rest)), ...last],
        next: null,
      };
    }),
  };
}

const scene = (name: string, path: string, options: Options, rest: Partial<Scene> = {}): Scene => ({
  name,
  path: `/p/desk/chat${path}`,
  async open() {
    const { access = mayAll, problem } = options;
    return {
      screen: (
        <QueryProvider>
          <ChatClient
            access={access}
            project="desk"
            projectName="Desk"
            choices={problem === undefined ? choices : undefined}
            problem={problem}
          />
        </QueryProvider>
      ),
      answers: await answersOf(options),
    };
  },
  ...rest,
});

const list = listed;
const first = '?conversation=c1';
const problem = 'agent-cards/lead.md:3: this file is nested too deeply to be read.';

export const chat: Screen = {
  id: 'chat',
  title: 'Chat',
  scenes: [
    scene('a conversation', first, { list, turns: [planned, failed] }),
    scene('an answer that goes on', first, { list, turns: [planned, goesOn], last: [waiting] }),
    scene('none yet', '', {}),
    scene('loading', first, { list }, { never: ['GET /api/v1/projects/desk/conversations/:conversation'] }),
    scene('a conversation that is not there', '?conversation=gone', { list }),
    scene('a project that cannot be read', '', { list, problem }),
    scene('for somebody who only views', first, { list, turns: [planned], access: mayView }),
  ],
};
