import { CompareClient, type OpenedRun } from '@/app/compare/compare-client';
import { linkNames } from '@/components/compare/compare-link';
import { RunDigests } from '@/lib/trace/compare/run-digests';
import { type Answers, ofCall } from '@/stage/memory/backend';
import { type RecordedRun, recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices } from '@/stage/memory/run-services';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';
import { linkOf } from './link-of';
import { type Files, fileChanges } from './reviewed-change';
import { fanOut } from './run-folders';

/** Whose files and message differ where two runs are compared. */
const inputs = {
  a: { files: fanOut(4), message: 'Plan the trip to London.' },
  b: { files: fanOut(6), message: 'Plan the trip to London, two nights.' },
} as const;
type Side = keyof typeof inputs;
const hashes: Readonly<Record<Side, string>> = { a: 'a'.repeat(64), b: 'b'.repeat(64) };

/** The digests of what happened in a run, as the server sends them. */
function digestsOf({ events }: RecordedRun, after: number): Response {
  const digests = new RunDigests();
  for (const event of events) digests.add(event);
  return new Response(new Uint8Array(digests.bytesAfter(after)));
}

/** Answers what a comparison asks of a run besides the page of the run. */
function answersOf(run: RecordedRun, others: readonly RecordedRun[]): Answers {
  const at = `GET /api/v1/runs/${run.id}`;
  const filesOf = (id: string | undefined): Files => others.find((each) => each.id === id)?.input.files ?? {};
  return {
    ...runServices(run),
    [`${at}/digests`]: ofCall(({ query }) => digestsOf(run, Number(query.after))),
    [`${at}/changes`]: ofCall(({ query }) => ({ files: fileChanges(run.input.files, filesOf(query.to)) })),
  };
}

/** `sides` are the runs that are there and that the address names. */
const scene = (name: string, path: string, sides: readonly Side[], access = mayAll): Scene => ({
  name,
  path: `/compare${path}`,
  async open() {
    const runs = await Promise.all((['a', 'b'] as const).map((side) => recordRun(side, inputs[side])));
    const infos = runs.map((run) => infoOf(run, { treeHash: hashes[run.id === 'a' ? 'a' : 'b'] }));
    const opened = (side: Side): OpenedRun | undefined => {
      const run = infos.find(({ id }) => id === side);
      return run === undefined || !sides.includes(side) ? undefined : { run, access };
    };
    const groups = infos.map((info) => ({ correlationId: info.correlationId, runCount: 1, runs: [info] }));
    return {
      screen: <CompareClient a={opened('a')} b={opened('b')} link={linkOf(linkNames)} />,
      answers: {
        'GET /api/v1/runs': () => ({ groups: sides.length === 0 ? [] : groups, next: null }),
        ...Object.assign({}, ...runs.map((run) => answersOf(run, runs))),
      },
    };
  },
});

export const compare: Screen = {
  id: 'compare',
  title: 'Compare runs',
  scenes: [
    scene('two runs', '?a=a&b=b', ['a', 'b']),
    scene('input and files', '?a=a&b=b&tab=changes', ['a', 'b']),
    scene('nothing chosen', '', []),
    scene('one run', '?a=a', ['a']),
    scene('a run that is not there', '?a=gone&b=b', ['b'], mayView),
  ],
};
