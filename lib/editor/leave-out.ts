import type { KnownServers } from '@/lib/base/known-servers';
import { type LeftOut, leftOutKey, leftOutName } from '@/lib/base/left-out';
import { isThere, type ProjectParts } from '@/lib/cards/project/without-left-out';
import type { GraphNode } from '@/lib/graph/graph';

/** A thing that the next run may do without. */
export interface LeaveOutRow {
  readonly key: string;
  readonly leftOut: LeftOut;
  readonly label: string;
  /** Where it comes from: a server or a file. */
  readonly of?: string;
}

export interface LeaveOutGroup {
  readonly title: 'Agents' | 'Servers' | 'Tools';
  readonly rows: readonly LeaveOutRow[];
}

/**
 * Lists what a run that begins at `start` may do without: agents, servers, and tools as far as tests of their servers have listed them.
 * What is left out and no longer in the project is listed too, so that it can be taken off.
 */
export function leaveOutGroups(
  { cards, unread, config }: ProjectParts,
  known: KnownServers,
  start: string | undefined,
  leftOut: readonly LeftOut[],
): readonly LeaveOutGroup[] {
  const agents = [...cards, ...unread.values()].map(({ name }): LeftOut => ({ kind: 'agent', name }));
  const connected = cards.flatMap((card) => (card.type === 'agent' ? card.mcpConnect.map(({ name }) => name) : []));
  const servers = [...Object.keys(config.servers), ...connected];
  const tools = servers.flatMap((server) =>
    Object.hasOwn(known, server)
      ? (known[server]?.listing.tools.map(({ name }): LeftOut => ({ kind: 'tool', server, name })) ?? [])
      : [],
  );
  const functions = cards.flatMap((card) =>
    card.type === 'agent'
      ? card.functionTools.map(
          ({ file, functionName }): LeftOut => ({ kind: 'function', name: `${file}:${functionName}` }),
        )
      : [],
  );
  const all = [
    ...agents.filter(({ name }) => name !== start),
    ...servers.map((name): LeftOut => ({ kind: 'server', name })),
    ...tools,
    ...functions,
    ...leftOut,
  ];
  const rows = [...new Map(all.map((one) => [leftOutKey(one), rowOf(one)])).values()];
  const groups = [
    { title: 'Agents', rows: rows.filter(({ leftOut: { kind } }) => kind === 'agent') },
    { title: 'Servers', rows: rows.filter(({ leftOut: { kind } }) => kind === 'server') },
    { title: 'Tools', rows: rows.filter(({ leftOut: { kind } }) => kind === 'tool' || kind === 'function') },
  ] as const;
  return groups.filter(({ rows: some }) => some.length > 0);
}

function rowOf(leftOut: LeftOut): LeaveOutRow {
  const row = {
    key: leftOutKey(leftOut),
    leftOut,
    label: leftOut.kind === 'tool' ? leftOut.name : leftOutName(leftOut),
  };
  switch (leftOut.kind) {
    case 'tool':
      return { ...row, of: leftOut.server };
    case 'function':
      return { ...row, of: leftOut.name.slice(0, leftOut.name.lastIndexOf(':')) };
    default:
      return row;
  }
}

/** Returns the groups with the rows that have all words of a search. */
export function foundIn(groups: readonly LeaveOutGroup[], typed: string): readonly LeaveOutGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, of = '' }: LeaveOutRow) => {
    const text = `${label} ${of}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups.map(({ title, rows }) => ({ title, rows: rows.filter(fits) })).filter(({ rows }) => rows.length > 0);
}

/** Returns what a node of the canvas is in a list of things to leave out. What no file defines cannot be left out. */
export function leftOutOf(node: GraphNode): LeftOut | undefined {
  if (node.kind === 'builtin' || node.missing) return undefined;
  if (node.kind === 'function') return { kind: 'function', name: `${node.file}:${node.name}` };
  return { kind: node.kind, name: node.name };
}

export function hasLeftOut(leftOut: readonly LeftOut[], one: LeftOut): boolean {
  const key = leftOutKey(one);
  return leftOut.some((other) => leftOutKey(other) === key);
}

/** What a person has chosen for the next run. */
interface ChosenParts {
  readonly agent: string | undefined;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Returns the parts of the next run that the project has. The others are kept by the dock and count again when they are back, such as
 * after the undo of a deletion; a run that named them would be refused. If the project is not known, all parts are returned.
 */
export function partsThere(project: ProjectParts | undefined, { agent, leftOut }: ChosenParts): ChosenParts {
  if (project === undefined) return { agent, leftOut };
  const hasAgent = agent !== undefined && isThere(project, { kind: 'agent', name: agent });
  return { agent: hasAgent ? agent : undefined, leftOut: leftOut.filter((one) => isThere(project, one)) };
}

/** Returns the list without these things if it has all of them, otherwise with all of them. */
export function toggledLeftOut(leftOut: readonly LeftOut[], ones: readonly LeftOut[]): readonly LeftOut[] {
  const missing = ones.filter((one) => !hasLeftOut(leftOut, one));
  if (missing.length > 0) return [...leftOut, ...missing];
  const keys = new Set(ones.map(leftOutKey));
  return leftOut.filter((one) => !keys.has(leftOutKey(one)));
}

/** What leaves nodes out of the next run, or takes them back if all of them are left out. */
export interface LeaveOutOffer {
  readonly label: string;
  readonly ones: readonly LeftOut[];
}

/** Returns the offer for these nodes; `undefined` if none of them can be left out. The agent at which a run begins (`start`) cannot. */
export function leaveOutOffer(
  nodes: readonly GraphNode[],
  leftOut: readonly LeftOut[],
  start: string | undefined,
): LeaveOutOffer | undefined {
  const ones = nodes
    .flatMap((node) => leftOutOf(node) ?? [])
    .filter((one) => one.kind !== 'agent' || one.name !== start || hasLeftOut(leftOut, one));
  if (ones.length === 0) return undefined;
  const isOut = ones.every((one) => hasLeftOut(leftOut, one));
  const what = nodes.length === 1 ? '' : `${ones.length} `;
  return { label: isOut ? `Take ${what}into the next run` : `Leave ${what}out of the next run`, ones };
}
