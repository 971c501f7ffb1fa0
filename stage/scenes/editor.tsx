import { EditorClient, type EditorClientProps } from '@/app/p/[project]/editor-client';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { PresentWindow } from '@/lib/base/presence';
import { everyProjectRight } from '@/lib/base/rights';
import { expectFirstMessage } from '@/lib/client/first-message';
import { actionsOf } from '@/stage/memory/actions-of';
import { type Answers, Refusal } from '@/stage/memory/backend';
import { memoryProject, placed, wireFiles } from '@/stage/memory/project';
import { recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices } from '@/stage/memory/run-services';
import { memorySecrets, storedNames } from '@/stage/memory/secrets';
import { serveStream } from '@/stage/memory/streams';
import type { Scene, Screen } from '@/stage/scene';
import { askingRun } from './asking-run';
import { audited, kidCode } from './run-folders';
import { triedFiles, triedTools } from './tried-tools';

type Files = Readonly<Record<string, string>>;

const card = (name: string, fields = '', text = 'Do your part.') => `---\nname: ${name}\n${fields}---\n${text}\n`;

const desk: Files = {
  'agent-cards/lead.md': card('lead', 'default: true\nmodel: sonnet\nagents: [writer, critic]\nservers: [time]\n'),
  'agent-cards/writer.md': card('writer', 'function_tools: [../tools.ts:count]\n'),
  'agent-cards/critic.md': card('critic', 'human_input: true\n'),
  'tools.ts': 'export const count = (args: { text: string }) => args.text.length;\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};

function many(count: number): Files {
  const names = Array.from({ length: count }, (_, n) => `worker-${n + 1}`);
  const lead = card('lead', `default: true\nagents: [${names.join(', ')}]\n`);
  return { 'lead.md': lead, ...Object.fromEntries(names.map((name) => [`${name}.md`, card(name)])) };
}

const plainInstallation = () => ({ pythonOff: false, projectEnv: [], secrets: [], models: {} });

export interface EditorOptions {
  readonly name?: string;
  readonly props?: Partial<EditorClientProps>;
  readonly answers?: Answers;
  /** What the server says of itself each time the page is asked for. */
  readonly readInstallation?: () => EditorClientProps['installation'];
}

/** Opens the editor of a project with these files. */
export async function openEditor(
  files: Files,
  { name = 'Desk', props, answers, readInstallation = plainInstallation }: EditorOptions = {},
) {
  const project = memoryProject('desk', name, files);
  window.stageProject = project;
  const layoutPoints = await placed(files);
  const Page = () => (
    <EditorClient
      projectId="desk"
      draft="main"
      drafts={['main']}
      name={name}
      version={1}
      files={wireFiles(files)}
      layoutPoints={layoutPoints}
      budget={null}
      trust="own"
      access={{ rights: everyProjectRight, role: null, ask: 'an administrator', accounts: false }}
      installation={readInstallation()}
      {...props}
    />
  );
  return { screen: <Page />, answers: { ...project.answers, ...answers } };
}

/** The answer of the run has Markdown. A tool of the run before fails, and names its line. */
const ran: Files = Object.fromEntries(
  Object.entries(audited(1_600, 100)).map(([path, text]) => [
    path,
    text.replace('text: All done.', 'text: "The **list**:\\n\\n- eleven\\n- done, see tools.ts:1"'),
  ]),
);
const badTool = { content: [{ type: 'text' as const, text: 'tools.ts:2: x is no number' }], isError: true };

async function afterRuns() {
  const input = { files: ran, message: 'Begin with `99`', hooks: kidCode.hooks };
  const before = await recordRun('before', { ...input, message: 'Try', functions: { addOne: () => badTool } });
  const last = await recordRun('run', { ...input, functions: kidCode.functions });
  const hour = 3_600_000;
  const listed = [infoOf(last), infoOf(before, { createdAt: Date.now() - hour })];
  const groups = listed.map((run) => ({ correlationId: run.correlationId, runCount: 1, runs: [run] }));
  return openEditor(ran, {
    props: { lastRun: { id: 'run', message: 'Begin' } },
    answers: {
      ...runServices(before),
      ...runServices(last),
      'GET /api/v1/runs': () => ({ groups, next: null }),
    },
  });
}

/** A project whose run answers without a model, and of which another run was deleted. */
async function withRun() {
  const files = {
    'agent-cards/lead.md': card('lead', 'default: true\nagents: [writer, critic]\n'),
    'agent-cards/writer.md': card('writer'),
    'agent-cards/critic.md': card('critic'),
    'callboard.yaml': 'version: 1\nscripts:\n  lead: [{ turns: [{ text: All is done. }] }]\n',
  };
  const run = await recordRun('run-1', { files, message: 'Go' });
  const actions = actionsOf<typeof import('@/app/p/[project]/actions')>('p/[project]/actions', {
    start: () => brandAs<RunId>(run.id),
  });
  const talk = actionsOf<typeof import('@/app/conversation-actions')>('conversation-actions', {
    sendMessage: () => ({
      ...{ runId: brandAs<RunId>(run.id), conversationId: 'c1' },
      ...{ revision: null, label: null, draft: 'main' },
    }),
  });
  const gone = () => {
    throw new Refusal('not_found', 'There is no such run.', 404);
  };
  const answers = { ...runServices(run), ...actions, ...talk, 'GET /api/v1/runs/run-0/timeline': gone };
  return await openEditor(files, { answers });
}

/** A project whose agents need a key that nobody has stored yet. */
const withoutKey = () =>
  openEditor(desk, {
    answers: memorySecrets(),
    readInstallation: () => {
      const models = Object.fromEntries(storedNames().map((name) => [name, 'set']));
      return { pythonOff: false, projectEnv: [], secrets: [], models };
    },
  });

const bo: PresentWindow = {
  ...{ id: 'w2', name: 'Bo', you: false, draft: 'main', since: Date.now() - 60_000 },
  ...{ page: 'editor', selected: ['agent:writer'] },
};

const scene = (name: string, files: Files, options?: EditorOptions): Scene => ({
  name,
  path: '/p/desk',
  open: () => openEditor(files, options),
});

export const editor: Screen = {
  id: 'editor',
  title: 'Editor',
  scenes: [
    scene('a desk', desk),
    scene('empty', {}),
    scene('a card that cannot be read', { ...desk, 'agent-cards/critic.md': '---\nname: [critic\n---\n' }),
    scene('two hundred agents', many(200)),
    scene('for somebody who only views', desk, {
      props: { access: { rights: ['read'], role: 'viewer', ask: 'Ada', accounts: true } },
    }),
    scene('for somebody who runs', desk, {
      props: { access: { rights: ['read', 'run'], role: 'runner', ask: 'Ada', accounts: true } },
    }),
    { name: 'asked to export', path: '/p/desk?open=export', open: () => openEditor(desk) },
    {
      name: 'beside another person',
      path: '/p/desk',
      open() {
        serveStream('/api/v1/projects/desk/presence', (stream) => stream.send({ people: [bo], version: 1 }));
        return openEditor(desk);
      },
    },
    { name: 'after two runs', path: '/p/desk', open: afterRuns },
    { name: 'with a run to start', path: '/p/desk', open: withRun },
    {
      name: 'just made',
      path: '/p/desk',
      open() {
        expectFirstMessage('desk');
        return openEditor({ 'agent-cards/assistant.md': card('assistant') });
      },
    },
    {
      name: 'with a run that asks',
      path: '/p/desk',
      async open() {
        const { files, answers } = await askingRun();
        return openEditor(files, { answers });
      },
    },
    { name: 'without a key', path: '/p/desk', open: withoutKey },
    scene('with tools to try', triedFiles, { answers: triedTools('desk') }),
    { name: 'given by the test', path: '/p/desk', open: () => openEditor(window.stageFiles ?? {}) },
  ],
};

declare global {
  interface Window {
    /** The project of the scene, for tests. */
    stageProject?: ReturnType<typeof memoryProject>;
    /** The files that a test puts into the scene `given by the test`. */
    stageFiles?: Files;
  }
}
