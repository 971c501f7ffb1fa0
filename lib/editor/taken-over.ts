import type { Savers } from '@/lib/base/presence';
import type { Rebased } from './rebase';

const mostNames = 3;

/** Says what others changed that is on the screen now, or returns `undefined` if that is nothing. */
export function takenOver({ taken, merged, moved }: Rebased, by: Savers | undefined): string | undefined {
  const sentences: string[] = [];
  const who = saverNames(by);
  if (taken.length > 0) sentences.push(`${who} changed ${listed(taken)}.`);
  if (merged.length > 0) {
    const has = merged.length === 1 ? 'It has' : 'They have';
    sentences.push(`${who} changed ${listed(merged)} too. ${has} your changes and theirs.`);
  }
  for (const { from, to, by: side } of moved) {
    if (side === 'theirs') sentences.push(`${who} renamed ${from} to ${to}. Your changes are there.`);
    else if (side === 'mine') sentences.push(`${who} changed ${from}. The changes are in ${to}.`);
  }
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Names those who saved, at the beginning of a sentence. */
export function saverNames(by: Savers | undefined): string {
  if (by === undefined || (by.names.length === 0 && !by.you)) return 'Somebody else';
  const you = by.you ? [by.names.length === 0 ? 'Another window' : 'another window of yours'] : [];
  return joined([...by.names, ...you]);
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNames);
  return joined(paths.length > mostNames ? [...shown, `${paths.length - mostNames} more`] : shown);
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
