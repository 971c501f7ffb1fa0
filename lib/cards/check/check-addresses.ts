import { agentAddressProblem, shownUrl, textAddressProblem } from '@/lib/base/called-address';
import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { urlsOf } from '@/lib/cards/url-placeholder';

/** Reports addresses of remote agents and of `{{url:…}}` that no run could call. Nothing is called. */
export function checkAddresses(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap((reading) => {
    const { card, name } = reading;
    const file = folder.get(card?.file ?? '');
    if (card === undefined || file?.kind !== 'text') return [];
    const at = (start: number) => ({
      file: card.file,
      ...(start < 0 ? reading.place : new LineIndex(file.text).positionOf(start)),
      agent: name,
    });
    const problem =
      card.type === 'a2a' && !isOpen(card.url) ? agentAddressProblem(card.url, shownUrl(card.url)) : undefined;
    const text = `Remote agent '${name}' cannot be called: ${problem}`;
    return [
      ...(problem === undefined ? [] : [makeIssue('bad-address', at(file.text.search(/^url[ \t]*:/m)), text)]),
      ...[...new Set(urlsOf(card.instruction ?? ''))].flatMap((url) => {
        const fault = isOpen(url) ? undefined : textAddressProblem(url);
        if (fault === undefined) return [];
        const text = `{{url:${shownUrl(url)}}} cannot be filled in: ${fault}. Correct the address, or remove the placeholder.`;
        return [makeIssue('bad-address', at(file.text.indexOf(`{{url:${url}}}`)), text)];
      }),
    ];
  });
}

/** True if the address is not known yet. Another check reports an empty address, and variables get their values when a run starts. */
function isOpen(address: string): boolean {
  return address === '' || address.includes('${');
}
