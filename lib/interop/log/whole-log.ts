import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { addUsage, noUsage } from '@/lib/runtime/record/messages';
import { foldedSpansCode } from '@/lib/trace/folded-spans';
import type { TimedEvent, TreeEvents } from './events-of-tree';
import { foldedNote, importNotes } from './import-notes';
import type { ImportedRunFacts } from './imported-run-facts';
import type { PlacedStep } from './place-steps';
import { firstInput, type Root, withAllBelow } from './root-of-steps';

/**
 * Puts the events of a tree in the order of time, and adds the first and the last of a run. Events of one moment stay in the
 * order of the tree. `tops` are the steps at the top of the trace.
 */
export function wholeLog(
  root: Root,
  { events, spending, lastAnswer }: TreeEvents,
  facts: ImportedRunFacts,
  tops: readonly PlacedStep[],
): readonly RunEvent[] {
  const sorted = events
    .map((event, index) => ({ event, index }))
    .sort((a, b) => a.event.at - b.event.at || a.index - b.index);
  return [...firstEvents(root, facts, tops), ...sorted.map(({ event }) => event), lastEvent()].map(
    ({ at, body, imported }, index): RunEvent => ({
      seq: index + 1,
      at: brandAs<EpochMs>(at),
      ...body,
      ...(imported !== undefined && { imported }),
    }),
  );

  function lastEvent(): TimedEvent {
    const { step } = root.place;
    const status =
      facts.status ?? (step.outcome === 'ok' ? 'completed' : step.outcome === 'cancelled' ? 'cancelled' : 'failed');
    const answer = facts.answer ?? step.output ?? lastAnswer;
    const usage = [...spending.values()].reduce(addUsage, noUsage);
    const agents = [...spending].map(([agentName, spent]) => ({ agentName, usage: spent }));
    const error = step.error ?? { code: 'failed', message: 'The trace reports a failure.' };
    return {
      at: root.end,
      body: {
        ...{ kind: 'run.finished', status, usage, agents },
        ...(answer !== undefined && status === 'completed' && { answer }),
        ...(status === 'failed' && { error }),
      },
    };
  }
}

/** The start of the run, who recorded it, and what of it is estimated. */
function firstEvents(
  { place, start: at }: Root,
  facts: ImportedRunFacts,
  tops: readonly PlacedStep[],
): readonly TimedEvent[] {
  const { runId, correlationId, recordedBy } = facts;
  const { step } = place;
  const message = facts.message ?? step.input ?? firstInput(place) ?? '';
  const all = [...withAllBelow(tops)];
  const count = facts.spanCount ?? all.length;
  const spans = count === 1 ? '1 span' : `${count} spans`;
  const sentence = `Imported: ${recordedBy} recorded this run (${spans}). Nothing was executed here.`;
  return [
    {
      at,
      body: {
        ...{ kind: 'run.started', runId, correlationId, entryAgent: step.name, message, scripted: false },
        ...(facts.marks && { marks: facts.marks }),
      },
    },
    { at, body: { kind: 'log', level: 'info', code: 'imported', message: sentence } },
    ...foldedNote(all).map(
      (message): TimedEvent => ({ at, body: { kind: 'log', level: 'info', code: foldedSpansCode, message } }),
    ),
    ...[...(facts.notes ?? []), ...importNotes(all)].map(
      (note): TimedEvent => ({
        at,
        body: { kind: 'log', level: 'warning', code: 'import_estimated', message: note },
      }),
    ),
  ];
}
