import { SharedRunClient } from '@/app/share/run/[link]/shared-run-client';
import { linkNames } from '@/components/run/run-link';
import { withoutTexts } from '@/lib/trace/without-texts';
import type { Answers } from '@/stage/memory/backend';
import { type RunInput, recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices, timeline } from '@/stage/memory/run-services';
import type { Scene, Screen } from '@/stage/scene';
import { linkOf } from './link-of';
import { failing, fanOut, wideGraph } from './run-folders';

const page = '/share/run/link';

/** Answers below the page of the link what `/api/v1` answers of the run. */
const belowPage = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([service, answer]) => [service.replace('/api/v1/runs/run', `${page}/api`), answer]),
  );

interface Options extends Partial<Scene> {
  /** False for a link that shows no texts. */
  readonly texts?: boolean;
}

const scene = (name: string, input: RunInput, { texts = true, ...rest }: Options = {}): Scene => ({
  name,
  path: page,
  isBare: true,
  async open() {
    const recorded = await recordRun('run', input);
    const hidden = texts ? {} : { message: '', answer: undefined, error: undefined };
    return {
      screen: (
        <SharedRunClient run={infoOf(recorded, { projectId: '', ...hidden })} link={linkOf(linkNames)} texts={texts} />
      ),
      answers: {
        ...belowPage(runServices(recorded)),
        ...(!texts && {
          [`GET ${page}/api/timeline`]: () => timeline(recorded, (event) => withoutTexts(event, `${recorded.id}-c0`)),
        }),
      },
    };
  },
  ...rest,
});

export const sharedRun: Screen = {
  id: 'shared-run',
  title: 'Shared run',
  scenes: [
    scene('with texts', { files: fanOut(6), message: 'Plan the trip to London.' }),
    scene('without texts', { files: fanOut(6), message: 'Plan the trip to London.' }, { texts: false }),
    scene('a wide graph', { files: wideGraph, message: 'Plan the trip to London.' }, { path: `${page}?tab=graph` }),
    scene('failed', { files: failing, message: 'Plan the trip to London.' }),
    scene('loading', { files: fanOut(6), message: 'Begin' }, { never: [`GET ${page}/api/timeline`] }),
  ],
};
