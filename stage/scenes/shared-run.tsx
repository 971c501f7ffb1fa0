import { SharedRunClient } from '@/app/share/run/[link]/shared-run-client';
import { linkNames } from '@/components/run/run-link';
import { encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { withoutTexts } from '@/lib/trace/without-texts';
import type { Answers } from '@/stage/memory/backend';
import { type RecordedRun, type RunInput, recordRun } from '@/stage/memory/record-run';
import { infoOf, runServices } from '@/stage/memory/run-services';
import type { Scene, Screen } from '@/stage/scene';
import { failing, fanOut, wideGraph } from './run-folders';

const page = '/share/run/link';

/** Answers below the page of the link what `/api/v1` answers of the run. */
const belowPage = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([service, answer]) => [service.replace('/api/v1/runs/run', `${page}/api`), answer]),
  );

/** The timeline for a link that shows no texts. */
function bareTimeline({ id, events, clock }: RecordedRun): Response {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, withoutTexts(event, `${id}-c0`));
  const zipped = new Response(encodeTrace(trace)).body?.pipeThrough(new CompressionStream('gzip'));
  return new Response(zipped, { headers: { 'Callboard-Time': String(clock.now()), 'Callboard-Version': '0' } });
}

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
    const asked = new URLSearchParams(window.location.search);
    const link = Object.fromEntries(linkNames.map((each) => [each, asked.get(each) ?? undefined]));
    const hidden = texts ? {} : { message: '', answer: undefined, error: undefined };
    return {
      screen: <SharedRunClient run={infoOf(recorded, { projectId: '', ...hidden })} link={link} texts={texts} />,
      answers: {
        ...belowPage(runServices(recorded)),
        ...(!texts && { [`GET ${page}/api/timeline`]: () => bareTimeline(recorded) }),
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
