import { foldedSpansKey } from '@/lib/trace/folded-spans';
import { mostLevels, type PlacedStep } from './place-steps';

/** Says in sentences, for the log of a run, what its trace left open. */
export function importNotes(places: readonly PlacedStep[]): readonly string[] {
  const count = (is: (place: PlacedStep) => boolean) => places.filter(is).length;
  const orphans = count(({ isOrphan }) => isOrphan);
  const moved = places.filter(({ movedMs }) => movedMs !== 0);
  const late = count(({ isLate }) => isLate);
  const backwards = count(({ step }) => step.estimated.some((note) => note.startsWith('end: ')));
  const ends = count(({ step }) => step.end === undefined);
  const unknown = count(({ step }) => step.kind === 'unknown');
  const deep = count(({ isTooDeep }) => isTooDeep);
  const uncounted = count(hasUnreadTokens);
  const estimated = count(({ step }) => step.estimated.length > 0);
  return [
    ...(orphans > 0
      ? [`${spans(orphans)} named a parent that has not arrived. ${theyAre(orphans)} at the top until it does.`]
      : []),
    ...(moved.length > 0
      ? [
          `${spans(moved.length)} started before their parents, so clocks differ. They were moved, with their durations, by up to ${most(moved)}.`,
        ]
      : []),
    ...(late > 0 ? [`${spans(late)} started after the parent had ended. The times are as recorded.`] : []),
    ...(backwards > 0 ? [`${spans(backwards)} had an end before the start, and no duration is drawn.`] : []),
    ...(ends > 0 ? [`${spans(ends)} had no end. ${theyAre(ends)} drawn to the end of the trace.`] : []),
    ...(deep > 0
      ? [
          `${spans(deep)} ${deep === 1 ? 'lies' : 'lie'} deeper than ${mostLevels} lanes. ${theyAre(deep)} drawn in the innermost lane.`,
        ]
      : []),
    ...(unknown > 0
      ? [
          `${spans(unknown)} followed no convention that is known here. ${theyAre(unknown)} drawn as ${unknown === 1 ? 'a step' : 'steps'}.`,
        ]
      : []),
    ...(uncounted > 0
      ? [`${calls(uncounted)} with numbers of tokens under names that are not known here. They count as 0.`]
      : []),
    ...(estimated > ends + backwards
      ? [`Times or names of ${spans(estimated - ends - backwards)} are estimated; the selection says which.`]
      : []),
  ];
}

/** Says how many spans were folded into others; nothing if there are none. */
export function foldedNote(places: readonly PlacedStep[]): readonly string[] {
  let folded = 0;
  for (const { step } of places) {
    const list = step.rest[foldedSpansKey];
    if (Array.isArray(list)) folded += list.length;
  }
  if (folded === 0) return [];
  const were = folded === 1 ? '1 span was' : `${folded} spans were`;
  return [`${were} folded into calls and agents. “All spans” in the timeline shows them.`];
}

/** True for a model call without usage that has a number under a name with `token`. */
function hasUnreadTokens({ step }: PlacedStep): boolean {
  if (step.kind !== 'model' || step.usage !== undefined) return false;
  return Object.entries(step.rest).some(([key, value]) => /token/i.test(key) && typeof value === 'number' && value > 0);
}

function calls(count: number): string {
  return count === 1 ? '1 model call came' : `${count} model calls came`;
}

function most(places: readonly PlacedStep[]): string {
  const ms = Math.max(...places.map(({ movedMs }) => Math.abs(movedMs)));
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function theyAre(count: number): string {
  return count === 1 ? 'It is' : 'They are';
}

function spans(count: number): string {
  return count === 1 ? '1 span' : `${count} spans`;
}
