import { hostOfUrl } from '@/lib/base/called-address';
import { isRecord } from '@/lib/base/json';
import { variablesIn } from '@/lib/base/variables';
import { urlsOf } from '@/lib/cards/url-placeholder';
import { variablesOfCard } from '@/lib/cards/variables/card-variables';
import { type Found, listChange, type Place, switchChange } from './capability-change';
import type { Side, Sides } from './project-side';
import { serversIn } from './server-changes';

/** Something that gets data of a run: a server, a remote agent, a provider, or the prompt of an agent. */
interface Destination {
  /** Such as `the server 'files'`. */
  readonly words: string;
  readonly at: Place;
  readonly subject: Found['subject'];
  /** Who calls its addresses, if that is not the destination itself. */
  readonly caller?: string;
  /** Its addresses. */
  readonly urls: readonly string[];
  /** The texts whose `${NAME}` are filled in and sent there. */
  readonly texts: readonly string[];
}

/** Hosts that are called for the first time, and variables that go somewhere new. */
export function reachChanges({ before, after }: Sides): Found[] {
  const [old, now] = [destinations(before), destinations(after)];
  return [...hostChanges(old, now), ...variableChanges(old, now)];
}

function destinations(side: Side): ReadonlyMap<string, Destination> {
  const { parsed, folder } = side;
  const found: Destination[] = [...serversIn(side).values()].map((server) => ({
    words: server.words,
    at: { server: server.name, by: server.by },
    subject: { server: server.name },
    urls: server.url === undefined ? [] : [server.url],
    texts: [
      server.command ?? '',
      server.url ?? '',
      ...Object.values(server.env),
      ...Object.values(server.headers),
      server.accessToken ?? '',
      server.cwd ?? '',
      ...server.roots,
    ],
  }));
  for (const [name, { baseUrl, apiKey, headers }] of Object.entries(parsed.config.providers)) {
    found.push({
      words: `the provider '${name}'`,
      at: { config: [name] },
      subject: { field: name },
      urls: baseUrl === undefined ? [] : [baseUrl],
      texts: [baseUrl ?? '', apiKey ?? '', ...Object.values(headers)],
    });
  }
  for (const card of parsed.cards) {
    const common = { at: { agent: card.name }, subject: { agent: card.name } };
    if (card.type === 'a2a') {
      const { url, headers, auth } = card;
      found.push({
        ...common,
        words: `the remote agent '${card.name}'`,
        urls: [url],
        texts: [url, ...Object.values(headers), ...textsIn(auth)],
      });
    } else {
      const texts = variablesOfCard(folder, card).map(({ name }) => `\${${name}}`);
      found.push({
        ...common,
        words: `the model of agent '${card.name}'`,
        caller: `the prompt of agent '${card.name}'`,
        urls: urlsOf(card.instruction ?? ''),
        texts,
      });
    }
  }
  return new Map(found.map((one) => [one.words, one]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A new server or remote agent says its address itself. Hosts are told where something that was there calls another one. */
function hostChanges(before: ReadonlyMap<string, Destination>, after: ReadonlyMap<string, Destination>): Found[] {
  const [old, now] = [hostsOf(before), hostsOf(after)];
  const told = (
    host: string,
    users: ReadonlyMap<string, readonly Destination[]>,
    others: ReadonlyMap<string, Destination>,
  ) => users.get(host)?.every(({ words }) => !others.has(words)) === true;
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((host) => {
    const [first] = now.get(host) ?? old.get(host) ?? [];
    const isKnown = old.has(host) === now.has(host);
    if (first === undefined || isKnown || told(host, now.has(host) ? now : old, now.has(host) ? before : after))
      return [];
    const { caller = first.words } = first;
    return switchChange({ kind: 'host', subject: first.subject, at: first.at }, old.has(host), now.has(host), {
      on: `The host '${host}' is new. It is called for ${caller}.`,
      off: `The host '${host}' is no longer called. It was called for ${caller}.`,
    });
  });
}

function hostsOf(all: ReadonlyMap<string, Destination>): ReadonlyMap<string, readonly Destination[]> {
  const hosts = new Map<string, Destination[]>();
  for (const one of all.values()) {
    for (const url of one.urls) {
      const host = hostOfUrl(url);
      if (host !== undefined) hosts.set(host, [...(hosts.get(host) ?? []), one]);
    }
  }
  return hosts;
}

function variableChanges(before: ReadonlyMap<string, Destination>, after: ReadonlyMap<string, Destination>): Found[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((words) => {
    const [old, now] = [before.get(words), after.get(words)];
    const place = now ?? old;
    if (place === undefined) return [];
    const named = (one: Destination | undefined) =>
      (one?.texts ?? []).flatMap((text) => variablesIn(text).map(({ name }) => name));
    return listChange(
      { kind: 'secret', subject: place.subject, at: place.at },
      named(old),
      named(now),
      (name, isNew) => {
        return `The value of \${${name}} ${isNew ? 'now goes' : 'no longer goes'} to ${words}.`;
      },
    );
  });
}
