import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { CardReading } from '@/lib/cards/read/read-card';
import { skillsOf } from '@/lib/cards/read/skills';
import { issueAt } from './check-references';

/** Reports directories that cards name as skills but that hold none. */
export function checkSkills(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap((reading) => {
    const { card, references } = reading;
    if (card?.type !== 'agent' || card.skills === undefined || card.skills.length === 0) return [];
    const missing = new Set(skillsOf(card, folder).missing);
    return references.flatMap((reference) => {
      if (reference.kind !== 'skills' || !missing.has(reference.target) || reference.target.includes('${')) return [];
      const text = `'${reference.target}' holds no skill. Put a SKILL.md into it, or correct the path.`;
      return [issueAt('skill-missing', reading, reference, text)];
    });
  });
}
