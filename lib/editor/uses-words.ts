import { draftWords } from '@/lib/base/release-names';
import type { AskedPart, PartUses } from '@/lib/base/uses';

/** What a person reads before a part is deleted or renamed. */
export interface ChangeReasons {
  /** What the change breaks, or what is live with the part. Without any, nobody is asked. */
  readonly reasons: readonly string[];
  /** Projects with the same part. A reason too, unless the change leaves the part itself in place. */
  readonly copies: readonly string[];
  /** What is good to know beside the reasons: other drafts, labels and runs keep their own files. */
  readonly notes: readonly string[];
}

/** Says what a change of a part in this draft means for everything else that uses it. */
export function reasonsAbout(part: AskedPart, uses: PartUses, draft: string): ChangeReasons {
  const own = uses.uses.filter(({ isOwn }) => isOwn);
  const tests = [...new Set(own.flatMap((use) => use.tests))];
  const others = [...new Set(uses.uses.flatMap(({ isOwn, projectName }) => (isOwn ? [] : [projectName])))];
  const places = own.flatMap((use) => use.places).filter((place) => place !== draftWords(draft));
  const live = places.filter(isLive);
  const rest = places.filter((place) => !isLive(place));
  const runs = own.reduce((sum, use) => sum + use.runs, uses.earlierRuns);
  const what = partWords(part);
  return {
    reasons: [
      ...live.map((place) => `${place} has ${what}, until a revision without it goes live.`),
      ...(tests.length > 0
        ? [`${listed(tests)}: ${tests.length === 1 ? 'a test that needs' : 'tests that need'} ${what}.`]
        : []),
      ...(uses.grants > 0
        ? [
            `${uses.grants === 1 ? 'One remembered approval is' : `${uses.grants} remembered approvals are`} about ${what}.`,
          ]
        : []),
    ],
    copies: others.length > 0 ? [`The same ${part.kind} is in ${listed(others)}, which this does not change.`] : [],
    notes: [
      ...(rest.length > 0 ? [`${listed(rest)} ${rest.length === 1 ? 'keeps' : 'keep'} ${what}.`] : []),
      ...(runs > 0 ? [`${runs === 1 ? 'One run' : `${runs} runs`} of the last 30 days had ${what}.`] : []),
    ],
  };
}

/** `agent 'writer'`. */
export function partWords({ kind, name }: AskedPart): string {
  return `${kind} '${name}'`;
}

function isLive(place: string): boolean {
  return place.startsWith('live (');
}

const mostNames = 4;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

/** True if a list of the uses says more than that this draft has the part. */
export function isUsedElsewhere({ uses }: PartUses, draft: string): boolean {
  return uses.some(
    ({ isOwn, places, agents, tests, runs }) =>
      !isOwn || places.some((place) => place !== draftWords(draft)) || agents.length + tests.length + runs > 0,
  );
}
