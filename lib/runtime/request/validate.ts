import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import { asksModel } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { findEntry } from '@/lib/cards/project/entry';
import { calledBy } from '@/lib/cards/project/reachable';
import { membersOf } from '@/lib/cards/read/members';
import type { RunError } from '@/lib/runtime/record/events';
import type { RunRequest } from './run-request';

/**
 * Checks whether a folder can run, and from which agent. In this order: the requested agent, `entry` of callboard.yaml, the
 * default card, the first agent that no other one uses. Errors in a card that the entry can reach stop the run, also if the card
 * cannot be read or has the name of another one, and so do errors in callboard.yaml, the config and the secrets file. Errors
 * elsewhere in the folder do not.
 */
export function runnable(parsed: ParsedFolder, request: Pick<RunRequest, 'agent'>): Result<{ entry: Card }, RunError> {
  const entry = entryCard(parsed, request.agent);
  if (!entry.ok) return entry;
  const { card } = entry.value;
  const faults = faultsOfRun(parsed, card);
  return faults.length > 0 ? err(cardsInvalid(faults)) : ok({ entry: card });
}

/** The entry, or if it asks no model itself the steps that are asked first. None of them has a caller with a model. */
export function firstAsked(parsed: ParsedFolder, entry: Card): Card[] {
  const cards = cardsByName(parsed);
  const seen = new Set([entry]);
  for (const card of seen) {
    if (asksModel(card)) continue;
    for (const name of membersOf(card)) {
      const member = cards.get(name);
      if (member) seen.add(member);
    }
  }
  return [...seen].filter(asksModel);
}

/** Returns the errors of a folder that stop a run which begins at `entry`. */
function faultsOfRun(parsed: ParsedFolder, entry: Card): readonly Issue[] {
  const reached = namesFrom(entry, parsed);
  const cardFiles = new Map(parsed.cards.map(({ file, name }) => [file, name]));
  return parsed.issues.filter(({ severity, file, agent }) => {
    if (severity !== 'error') return false;
    if (ofEveryRun.has(parsed.roles.get(file))) return true;
    const name = cardFiles.get(file) ?? agent;
    return name !== undefined && reached.has(name);
  });
}

/** Files that every run of the folder reads. */
const ofEveryRun: ReadonlySet<FileRole | undefined> = new Set(['settings', 'config', 'secrets']);

/** Returns the names of the entry and of every agent that it may call, directly or not. Some may have no card that can be read. */
function namesFrom(entry: Card, parsed: ParsedFolder): ReadonlySet<string> {
  const cards = cardsByName(parsed);
  const agents = [...cards.keys(), ...[...parsed.unread.values()].map(({ name }) => name)];
  const reached = new Set([entry.name]);
  for (const name of reached) {
    const card = cards.get(name);
    if (card !== undefined) for (const called of calledBy(card, agents, parsed.settings)) reached.add(called);
  }
  return reached;
}

/** Returns every card by name. Of two with one name the first counts. */
export function cardsByName(parsed: ParsedFolder): ReadonlyMap<string, Card> {
  const cards = new Map<string, Card>();
  for (const card of parsed.cards) if (!cards.has(card.name)) cards.set(card.name, card);
  return cards;
}

function entryCard(parsed: ParsedFolder, asked: string | undefined): Result<{ card: Card }, RunError> {
  if (asked !== undefined) return namedCard(parsed, asked, 'There');
  const entry = findEntry(parsed);
  switch (entry.is) {
    case 'named':
      return namedCard(parsed, entry.name, `callboard.yaml names '${entry.name}' as entry, but there`);
    case 'card':
    case 'first':
      return ok({ card: entry.card });
    case 'unread': {
      const faults = parsed.issues.filter(({ file, severity }) => file === entry.file && severity === 'error');
      return err(cardsInvalid(faults));
    }
    case 'none':
      return err(unknownAgent(parsed, 'The folder has no agent cards.'));
  }
}

function namedCard(parsed: ParsedFolder, name: string, where: string): Result<{ card: Card }, RunError> {
  const card = parsed.cards.find((one) => one.name === name);
  return card ? ok({ card }) : err(unknownAgent(parsed, `${where} is no agent '${name}'.`));
}

/**
 * Makes the error for an unknown agent. The agent may be in a card that could not be read, and then the error names that
 * card.
 */
function unknownAgent(parsed: ParsedFolder, sentence: string): RunError {
  const faults = parsed.issues.filter((issue) => issue.severity === 'error');
  if (faults.length > 0) {
    const { code, message } = cardsInvalid(faults);
    return { code, message: `${sentence} ${message}` };
  }
  const names = parsed.cards.map(({ name }) => name);
  const list = names.length > 0 ? ` Agents: ${names.join(', ')}.` : '';
  return { code: 'unknown_agent', message: `${sentence}${list}` };
}

/** Makes an error of the first of several faults, with its place. */
export function cardsInvalid(faults: readonly Issue[]): RunError {
  const [first] = faults;
  const place = first ? `${first.file}:${first.line}: ${first.message}` : '';
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return { code: 'cards_invalid', message: `${place}${more}` };
}
