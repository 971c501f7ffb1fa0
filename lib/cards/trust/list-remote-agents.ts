import type { A2aCard } from '@/lib/cards/card';
import type { LineFinder } from '@/lib/cards/read/line-finder';
import { type RemoteVariable, remoteVariables } from '@/lib/cards/variables/remote-variables';
import type { Capability } from './capability';

/** Lists the address of a remote agent, and the variables that are sent there. */
export function remoteAgentItems(
  card: A2aCard,
  lines: LineFinder,
  content: (...parts: readonly unknown[]) => string,
  shownUrl: (url: string) => string,
): Capability[] {
  const { name, file, url, relativeCardPath } = card;
  const headers = Object.keys(card.headers).sort();
  const notes = [`Gets the messages of agent '${name}', with what is attached to them.`];
  if (headers.length > 0) notes.push(`Sends the headers ${headers.join(', ')}.`);
  const sent = Object.entries(card.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const host: Capability = {
    kind: 'host',
    name,
    detail: shownUrl(url),
    notes,
    file,
    line: lines.ofKey(file, ['url']) ?? 1,
    hash: content('remote agent', name, url, relativeCardPath, sent),
  };
  return [host, ...remoteVariables(card).map(variableItem)];

  function variableItem({ name: variable, path }: RemoteVariable): Capability {
    return {
      kind: 'variable',
      name: variable,
      detail: `\${${variable}}`,
      notes: [`Asked for by the remote agent '${name}'.`],
      file,
      line: lines.ofKey(file, path) ?? 1,
      hash: content('variable', variable),
    };
  }
}
