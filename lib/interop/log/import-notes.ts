import { mostLevels, type PlacedStep } from './place-steps';

/** Says in sentences, for the log of a run, what its trace left open. */
export function importNotes(places: readonly PlacedStep[]): readonly string[] {
  const count = (is: (place: PlacedStep) => boolean) => places.filter(is).length;
  const orphans = count(({ isOrphan }) => isOrphan);
  const skewed = count(({ skewMs }) => skewMs > 0);
  const ends = count(({ step }) => step.end === undefined);
  const unknown = count(({ step }) => step.kind === 'unknown');
  const deep = count(({ isTooDeep }) => isTooDeep);
  const estimated = count(({ step }) => step.estimated.length > 0);
  return [
    ...(orphans > 0
      ? [`${spans(orphans)} named a parent that has not arrived. They are at the top until it does.`]
      : []),
    ...(skewed > 0
      ? [`${spans(skewed)} started before their parents, so clocks differ. They are drawn at the start of the parent.`]
      : []),
    ...(ends > 0 ? [`${spans(ends)} had no end. They are drawn to the end of the trace.`] : []),
    ...(deep > 0 ? [`${spans(deep)} lie deeper than ${mostLevels} lanes. They are drawn in the innermost lane.`] : []),
    ...(unknown > 0 ? [`${spans(unknown)} followed no convention that is known here. They are drawn as steps.`] : []),
    ...(estimated > ends
      ? [`Times or names of ${spans(estimated - ends)} are estimated; the selection says which.`]
      : []),
  ];
}

function spans(count: number): string {
  return count === 1 ? '1 span' : `${count} spans`;
}
