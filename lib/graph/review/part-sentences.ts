import { isSameAnchor, type ReviewAnchor } from './anchor';
import type { ChangeGroup } from './change-rows';
import type { ComparedChange } from './compared-part';

interface Told {
  readonly capabilities: readonly ComparedChange[];
  readonly groups: readonly ChangeGroup[];
  /** The file whose code the part runs. */
  readonly code?: string | undefined;
}

/**
 * Returns what a comparison says of a part: the sentences of the summary, then the fields that differ. An agent gets the sentences of its
 * tools and fields too. Its hooks and wires have their own.
 */
export function partSentences(part: ReviewAnchor, compared: Told): readonly string[] {
  const { capabilities, groups, code } = compared;
  const isHere = (other: ReviewAnchor | undefined) => other !== undefined && isPartOf(other, part);
  const told = capabilities
    .filter(
      ({ about, subject }) =>
        isHere(about.part) || (subject.agent === undefined && code !== undefined && subject.file === code),
    )
    .map(({ sentence }) => sentence);
  const details = groups
    .flatMap(({ rows }) => rows)
    .flatMap((row) => [
      ...(isHere(row.part) ? row.details.filter((detail) => detail.part === undefined) : []),
      ...row.details.filter((detail) => isHere(detail.part)),
    ])
    .map(({ words }) => words);
  return [...new Set([...told, ...details])];
}

function isPartOf(other: ReviewAnchor, part: ReviewAnchor): boolean {
  if (part.kind === 'agent' && (other.kind === 'field' || other.kind === 'tool')) return other.agent === part.agent;
  return isSameAnchor(other, part);
}
