import Link from 'next/link';
import { NewTestClient } from '@/app/p/[project]/tests/new/new-test-client';
import { TestsClient } from '@/app/p/[project]/tests/tests-client';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { ShownTest } from '@/components/tests/test-types';
import type { FixtureFinding, StoredFixtureResult } from '@/lib/base/fixture-result';
import { brandAs, type RunId, type TreeHash } from '@/lib/base/ids';
import { whyNot } from '@/lib/base/project-access';
import type { Expectations } from '@/lib/cards/fixture';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';

const minute = 60_000;
/** The files of the draft, and earlier ones. */
const tree = (letter: string) => brandAs<TreeHash>(letter.repeat(64));
const [draft, earlier, oldest] = [tree('a'), tree('b'), tree('c')];

const test = (name: string, rest: Partial<ShownTest> = {}): ShownTest => ({
  ...{ name, description: undefined, message: `Write to ${name}.`, fault: undefined, ...rest },
});

const result = (
  name: string,
  status: StoredFixtureResult['status'],
  rest: Partial<StoredFixtureResult> = {},
): StoredFixtureResult => ({
  ...{ name, status, mode: 'replay', findings: [], tookMs: 1_200, at: Date.now() - 5 * minute },
  ...{ runId: brandAs<RunId>(`run-${name}`), treeHash: draft, ...rest },
});

const asExpected: FixtureFinding = {
  ...{ what: 'answer', outcome: 'passed' },
  ...{ expected: 'contains “Two nights”', got: 'Two nights, by train.' },
};
const otherCalls: FixtureFinding = {
  ...{ what: 'calls', outcome: 'failed' },
  ...{ expected: 'lead calls agent__writer once', got: 'lead calls agent__writer twice' },
};
const noJudge: FixtureFinding = {
  ...{ what: 'rubric', outcome: 'skipped' },
  ...{ expected: 'The letter is kind.', got: 'No key is there for a model that judges.' },
};

const names = ['london', 'paris', 'rome', 'vienna', 'a-city-with-a-name-of-many-words-that-somebody-wrote-for-a-test'];
const results: readonly StoredFixtureResult[] = [
  result('london', 'passed', { findings: [asExpected, noJudge] }),
  result('paris', 'failed', { findings: [asExpected, otherCalls, noJudge], mode: 'live', costUsd: 0.0123 }),
  result('rome', 'broken', { problem: "The recording has no answer for the call of the tool 'count'." }),
  ...['london', 'paris', 'rome'].map((name) => result(name, 'passed', { treeHash: earlier })),
  result('london', 'failed', { treeHash: oldest }),
];

const scene = (
  name: string,
  tests: readonly ShownTest[],
  found: readonly StoredFixtureResult[],
  refusal?: string,
): Scene => ({
  name,
  path: '/p/desk/tests',
  open: () => {
    const passed = found.filter(({ status, treeHash }) => status === 'passed' && treeHash === draft);
    const missing = tests.filter((each) => passed.every((one) => one.name !== each.name));
    return {
      screen: (
        <ProjectPage
          project={{ id: 'desk', name: 'Desk' }}
          access={mayAll}
          current="tests"
          title="Tests"
          description="Runs that must stay as they were."
        >
          <TestsClient
            project="desk"
            treeHash={draft}
            tests={tests}
            results={found}
            revisions={{ [earlier]: 3 }}
            reasons={missing.map((each) => `The test '${each.name}' has not passed.`)}
            whyNot={refusal}
          />
        </ProjectPage>
      ),
      answers: {},
    };
  },
});

/** Saving a run as a test. */
const saving = (name: string, suggested: Expectations, refusal?: string): Scene => ({
  name,
  path: '/p/desk/tests/new?run=run-1',
  open: () => ({
    screen: (
      <ProjectPage
        project={{ id: 'desk', name: 'Desk' }}
        access={mayAll}
        current="tests"
        title="Save as test"
        description={
          <>
            The answers of models, servers and people in{' '}
            <Link href="/r/run-1" className="text-accent underline underline-offset-2">
              this run
            </Link>{' '}
            are recorded. The test runs again without them, with the hooks and functions of the draft.
          </>
        }
      >
        <NewTestClient project="desk" run="run-1" suggested={suggested} suggestedName="london" whyNot={refusal} />
      </ProjectPage>
    ),
    answers: {},
  }),
});

const wentWell: Expectations = {
  answer: { contains: ['Two nights, by train.'] },
  calls: [
    { tool: 'agent__writer', agent: 'lead', times: 1 },
    { tool: 'count', agent: 'writer', times: 2 },
  ],
  hooks: [{ hook: 'guard.py:check', tool: 'count', denied: true }],
};

export const tests: Screen = {
  id: 'tests',
  title: 'Tests',
  scenes: [
    scene(
      'passed and failed',
      names.map((name) => test(name)),
      results,
    ),
    scene('all passed', [test('london', { description: 'A trip of two nights.' })], [result('london', 'passed')]),
    scene('empty', [], []),
    scene('for somebody who only views', [test('london')], results, whyNot(mayView, 'run.start')),
    saving('a run becomes a test', wentWell),
    saving('a failed run becomes a test', { error: 'model_failed' }),
    saving('somebody who may not save a test', wentWell, whyNot(mayView, 'project.edit')),
  ],
};
