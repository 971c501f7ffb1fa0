/** Runs that are chosen in a list, and the one that was chosen last: Shift chooses up to it. */
export interface ChosenRuns {
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

export const noneChosen: ChosenRuns = { ids: new Set(), last: undefined };

/** Chooses a run or takes it out. */
export function toggleRun({ ids }: ChosenRuns, id: string): ChosenRuns {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, last: id };
}

/** Chooses all runs between the last one and this one, in the order of the list. */
export function chooseUpTo(chosen: ChosenRuns, id: string, listed: readonly string[]): ChosenRuns {
  const from = chosen.last === undefined ? -1 : listed.indexOf(chosen.last);
  const to = listed.indexOf(id);
  if (from === -1 || to === -1) return toggleRun(chosen, id);
  const between = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...chosen.ids, ...between]), last: id };
}

/** Chooses all listed runs, or none if all are chosen already. */
export function toggleAll({ ids }: ChosenRuns, listed: readonly string[]): ChosenRuns {
  return listed.every((id) => ids.has(id)) ? noneChosen : { ids: new Set([...ids, ...listed]), last: undefined };
}

/** Takes out runs that are no longer listed, so that nobody deletes what is not seen. */
export function onlyListed(chosen: ChosenRuns, listed: readonly string[]): ChosenRuns {
  const ids = listed.filter((id) => chosen.ids.has(id));
  return ids.length === chosen.ids.size ? chosen : { ids: new Set(ids), last: chosen.last };
}
