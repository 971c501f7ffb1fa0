import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { codeOf, issueOf } from './card-code';
import { readSignature } from './js/signature';

/** Returns the function tools in JavaScript and TypeScript that no model could call, as a run would find them. Nothing runs. */
export function toolFaults(folder: Folder, cards: readonly Card[]): Issue[] {
  return cards.flatMap((card) => {
    if (card.type !== 'agent') return [];
    return [...codeOf(card)].flatMap(({ ref, use }) => {
      if (use !== 'tool' || !/\.[cm]?[jt]s$/i.test(ref.file)) return [];
      const reading = readSignature(folder, ref.file, ref.functionName);
      if (reading.ok) return [];
      const { message, line, column } = reading;
      return [
        issueOf(folder, card, ref, use, { code: 'code-signature', message, place: { file: ref.file, line, column } }),
      ];
    });
  });
}
