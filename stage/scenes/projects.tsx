import { ProjectsClient } from '@/app/projects-client';
import { everyProjectRight } from '@/lib/base/rights';
import type { ProjectCardData } from '@/lib/client/project-page';
import type { Template } from '@/lib/client/template-groups';
import { type Answers, ofCall } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';

const hour = 3_600_000;

const sketch = {
  boxes: [
    { kind: 'agent' as const, x: 0, y: 40, width: 224, height: 60 },
    { kind: 'agent' as const, x: 300, y: 0, width: 224, height: 60 },
    { kind: 'server' as const, x: 300, y: 80, width: 224, height: 60 },
  ],
  lines: [
    { x1: 224, y1: 70, x2: 300, y2: 30 },
    { x1: 224, y1: 70, x2: 300, y2: 110 },
  ],
  width: 524,
  height: 140,
};

const base = (id: string, name: string) => ({
  ...{ id, name, rights: everyProjectRight },
  updatedAt: Date.now() - 2 * hour,
});
const read = (id: string, name: string): ProjectCardData => ({
  ...base(id, name),
  ...{ state: 'read', agentCount: 2, errorCount: 0, sketch },
});

const desk: ProjectCardData = {
  ...read('desk', 'Desk'),
  lastRun: { id: 'run-1', status: 'completed', startedAt: Date.now() - hour },
};
const failing: ProjectCardData = {
  ...base('news', 'A newsroom with a name that is longer than the card that shows it'),
  ...{ state: 'read', agentCount: 12, errorCount: 3, sketch },
  lastRun: { id: 'run-2', status: 'failed', startedAt: Date.now() - 3 * hour },
};
const unreadable: ProjectCardData = {
  ...base('broken', 'Broken'),
  state: 'unreadable',
  issue: {
    ...{ severity: 'error', code: 'too-complex', stage: 'callboard' },
    ...{ file: 'callboard.yaml', line: 3, column: 1, message: 'This file is nested too deeply to be read.' },
  },
};
const reading: ProjectCardData = { ...base('new', 'Just imported'), state: 'reading' };

const samples: readonly Template[] = [
  {
    ...{ id: 'plan', title: 'Plan a trip', short: 'Trip', description: 'An orchestrator and two children.' },
    ...{ needs: [], group: 'Start', sketch },
  },
  {
    ...{ id: 'python', title: 'Python tools', short: 'Python', description: 'Function tools in Python.' },
    ...{ needs: ['python'], group: 'Hooks', sketch },
  },
];

/** Lists the projects whose names have the text. */
const answersOf = (projects: readonly ProjectCardData[]): Answers => ({
  'GET /api/v1/projects': ofCall(({ query }) => {
    const found = projects.filter(({ name }) => name.toLowerCase().includes((query.text ?? '').toLowerCase()));
    const sent = found.map((each) => ({ ...each, updatedAt: new Date(each.updatedAt).toISOString() }));
    return { projects: sent, next: null, total: sent.length };
  }),
});

const scene = (name: string, projects: readonly ProjectCardData[]): Scene => ({
  name,
  path: '/',
  open: () => ({
    screen: (
      <ProjectsClient
        first={{ projects, next: null, total: projects.length }}
        text=""
        samples={samples}
        firstModel={{ model: 'openai.gpt-5-mini', provider: 'OpenAI' }}
        accounts={false}
      />
    ),
    answers: answersOf(projects),
  }),
});

export const projects: Screen = {
  id: 'projects',
  title: 'Projects',
  scenes: [
    scene('several projects', [desk, failing, unreadable, reading]),
    scene('empty', []),
    scene(
      'a hundred projects',
      Array.from({ length: 100 }, (_, n) => read(`p${n}`, `Project ${n + 1}`)),
    ),
  ],
};
