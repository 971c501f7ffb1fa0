import { RunClient } from '@/app/r/[run]/run-client';
import { linkNames } from '@/components/run/run-link';
import { QueryProvider } from '@/components/shell/query-provider';
import { everyProjectRight } from '@/lib/base/rights';
import type { RunInfo } from '@/lib/client/run-info';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type RunInput, recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices } from '@/stage/memory/run-services';
import { scoreServices } from '@/stage/memory/scores';
import type { Scene, Screen } from '@/stage/scene';
import { decidingOffice } from './deciding-office';
import { importedFromStrands, linkedRuns } from './imported-run';
import { linkOf } from './link-of';
import {
  audited,
  failing,
  fanOut,
  kidCode,
  largeProject,
  makesPoet,
  manyAgents,
  queueing,
  stateAndLoop,
  wideGraph,
} from './run-folders';
import { oneByOne, waitsThreeDays } from './waited-run';

declare global {
  interface Window {
    /** The run of the scene. */
    stageRun?: {
      /** Lets time pass in it, in milliseconds. */
      readonly pass: (ms: number) => Promise<void>;
      /** Returns when events of a kind came in an instance, in milliseconds after the run began. */
      readonly timesOf: (kind: RunEvent['kind'], path: string) => readonly number[];
    };
  }
}

type Change = (events: readonly RunEvent[]) => readonly RunEvent[];

const run = (
  name: string,
  input: Partial<RunInput> & Pick<RunInput, 'files'>,
  rest: Partial<Scene> = {},
  change?: Change,
  info: Partial<RunInfo> = {},
): Scene => ({
  name,
  path: '/r/run',
  async open() {
    const ran = await recordRun('run', { ...kidCode, message: 'Begin', ...input });
    const recorded = change === undefined ? ran : { ...ran, events: change(ran.events) };
    window.stageRun = {
      pass: (ms) => recorded.clock.advance(ms),
      timesOf: (kind, path) =>
        recorded.events
          .filter((event) => event.kind === kind && 'path' in event && event.path === path)
          .map(({ at }) => at - (recorded.events[0]?.at ?? 0)),
    };
    return {
      screen: (
        <QueryProvider>
          <RunClient
            run={infoOf(recorded, info)}
            link={linkOf(linkNames)}
            scores={[]}
            me="local"
            access={{ rights: everyProjectRight, role: null, ask: 'an administrator', accounts: false }}
          />
        </QueryProvider>
      ),
      answers: { ...linkedRuns, ...runServices(recorded), ...scoreServices(recorded) },
    };
  },
  ...rest,
});

export const runPage: Screen = {
  id: 'run',
  title: 'Run',
  scenes: [
    run('fourteen children', { files: fanOut(14) }),
    run('decisions', { files: decidingOffice }),
    run('a hook and a retry', { files: audited(1_600, 100) }),
    run('waited three days', { files: oneByOne }, {}, waitsThreeDays),
    run('imported', { files: fanOut(1) }, {}, importedFromStrands, { source: 'strands' }),
    run('queueing', { files: queueing }),
    run('state and a loop', { files: stateAndLoop }),
    run('an agent that was made', { files: makesPoet, message: 'A poet, please' }),
    run('no agent was made', { files: makesPoet, message: 'The weather, please' }),
    run('a wide graph', { files: wideGraph }),
    run('a large project', { files: largeProject }),
    run('many agents', { files: manyAgents }),
    run('failed', { files: failing }),
    run('going on', { files: audited(4_000, 3_000), passed: 1_500 }),
    run('a thousand children', { files: fanOut(1_000) }),
    run('loading', { files: fanOut(14) }, { never: ['GET /api/v1/runs/run/timeline'] }),
  ],
};
