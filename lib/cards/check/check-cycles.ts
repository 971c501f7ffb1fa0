import type { Issue } from '@/lib/base/issue';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { CardReading } from '@/lib/cards/read/read-card';
import type { Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';
import { issueAt } from './check-references';

/** An agent may call another one as a child, a step or a worker. */
interface Call {
  readonly target: string;
  readonly line: number;
  readonly column: number;
  readonly isWorker: boolean;
}

type CallsOf = (reading: CardReading) => readonly Call[];

interface Frame {
  readonly reading: CardReading;
  readonly children: readonly Call[];
  next: number;
}

type IsRecursive = (parent: string, child: string) => boolean;

/** At most this many cycles are reported, because agents that all call each other have exponentially many. */
const maxCycles = 200;
/** Of a longer cycle only the first and last names are shown. */
const maxNames = 12;

/**
 * Reports dependency cycles, including those through workers (`toolsets`). Each cycle is reported once, at the reference with
 * which its first agent (in file order) enters the cycle. The search is depth-first with an explicit stack, so chains of any
 * length are fine. A cycle whose delegations are all marked `recursive` ends at the depth limit; it is a warning, because
 * fast-agent rejects it.
 */
export function checkCycles(cards: readonly CardReading[], settings: Settings): Issue[] {
  const byName = new Map<string, CardReading>();
  for (const reading of cards) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  const isRecursive: IsRecursive = (parent, child) => delegationOptions(settings, parent, child).recursive === true;
  const callsOf = callsIn(byName, settings);
  const cycles = cyclesIn(byName, callsOf);
  const marked = new Set(cycles.filter((cycle) => cycle.every((frame) => isMarked(frame, isRecursive))));
  if (marked.size === 0) return cycles.map((cycle) => cycleIssue(cycle, 'cycle'));
  // A cycle with unmarked delegations is an error. Cycles share edges, so some may not have been reported themselves.
  const errors = cycles.filter((cycle) => !marked.has(cycle));
  const known = new Set(errors.flatMap((cycle) => cycle.map(edgeOf)));
  return [
    ...[...marked].map((cycle) => cycleIssue(cycle, 'recursive-cycle')),
    ...errors.map((cycle) => cycleIssue(cycle, 'cycle')),
    ...hiddenCycles(byName, callsOf, isRecursive, known),
  ];
}

/** Returns unmarked delegations that lie on a cycle, but on none that was reported. */
function hiddenCycles(
  byName: ReadonlyMap<string, CardReading>,
  callsOf: CallsOf,
  isRecursive: IsRecursive,
  known: ReadonlySet<string>,
): Issue[] {
  const components = componentsOf(byName, callsOf);
  return [...byName.values()].flatMap((reading) =>
    callsOf(reading).flatMap((reference) => {
      const { name } = reading;
      const { target } = reference;
      // An edge lies on a cycle if and only if both ends are in the same component.
      const isOnCycle = components.get(name) !== undefined && components.get(name) === components.get(target);
      if (!isOnCycle || isRecursive(name, target) || known.has(`${name}\n${target}`)) return [];
      const text = `Circular dependency detected: '${name}' delegates to '${target}', which delegates back to it. Remove one delegation of the cycle, or mark each of them. ${markingAdvice}`;
      return [issueAt('cycle', reading, reference, text)];
    }),
  );
}

/**
 * Returns the strongly connected component of each agent, by Tarjan's algorithm (Depth-first search and linear graph
 * algorithms, 1972), in linear time.
 */
function componentsOf(byName: ReadonlyMap<string, CardReading>, callsOf: CallsOf): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const components = new Map<string, number>();
  const path: string[] = [];
  for (const root of byName.values()) {
    if (order.has(root.name)) continue;
    const stack: Frame[] = [frameOf(root, callsOf)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { name } = top.reading;
      if (!order.has(name)) {
        lowest.set(name, order.size);
        order.set(name, order.size);
        path.push(name);
      }
      const child = byName.get(top.children[top.next++]?.target ?? '');
      if (child !== undefined && !order.has(child.name)) stack.push(frameOf(child, callsOf));
      else if (child !== undefined && !components.has(child.name)) lower(lowest, name, order.get(child.name));
      else if (top.next > top.children.length) {
        stack.pop();
        const above = stack.at(-1)?.reading.name;
        if (above !== undefined) lower(lowest, above, lowest.get(name));
        if (lowest.get(name) !== order.get(name)) continue;
        for (let member = path.pop(); member !== undefined; member = path.pop()) {
          components.set(member, order.get(name) ?? 0);
          if (member === name) break;
        }
      }
    }
  }
  return components;
}

function lower(lowest: Map<string, number>, name: string, to: number | undefined): void {
  lowest.set(name, Math.min(lowest.get(name) ?? 0, to ?? Number.POSITIVE_INFINITY));
}

function edgeOf(frame: Frame): string {
  return `${frame.reading.name}\n${frame.children[frame.next - 1]?.target}`;
}

function isMarked(frame: Frame, isRecursive: IsRecursive): boolean {
  const reference = frame.children[frame.next - 1];
  return reference !== undefined && isRecursive(frame.reading.name, reference.target);
}

function cyclesIn(byName: ReadonlyMap<string, CardReading>, callsOf: CallsOf): (readonly Frame[])[] {
  const finished = new Set<CardReading>();
  const cycles: (readonly Frame[])[] = [];
  for (const root of byName.values()) {
    if (cycles.length >= maxCycles) break;
    if (finished.has(root)) continue;
    const stack: Frame[] = [frameOf(root, callsOf)];
    const depth = new Map([[root, 0]]);
    for (let top = stack.at(-1); top !== undefined && cycles.length < maxCycles; top = stack.at(-1)) {
      const reference = top.children[top.next++];
      if (reference === undefined) {
        stack.pop();
        depth.delete(top.reading);
        finished.add(top.reading);
        continue;
      }
      const child = byName.get(reference.target);
      const entry = child && depth.get(child);
      if (entry !== undefined) cycles.push(stack.slice(entry).map((frame) => ({ ...frame })));
      else if (child !== undefined && !finished.has(child)) {
        depth.set(child, stack.length);
        stack.push(frameOf(child, callsOf));
      }
    }
  }
  return cycles;
}

function frameOf(reading: CardReading, callsOf: CallsOf): Frame {
  return { reading, children: callsOf(reading), next: 0 };
}

/** Returns the calls of each card. A worker has the position of its caller, whose `toolsets` are in callboard.yaml. */
function callsIn(byName: ReadonlyMap<string, CardReading>, settings: Settings): CallsOf {
  const agents = [...byName.values()].flatMap(({ card }) => (card === undefined ? [] : [card.name]));
  const known = new Map<CardReading, readonly Call[]>();
  return (reading) => {
    const calls = known.get(reading) ?? [...childCalls(reading), ...workerCalls(reading, agents, settings)];
    known.set(reading, calls);
    return calls;
  };
}

function childCalls({ references }: CardReading): readonly Call[] {
  return references.flatMap((reference) =>
    reference.kind === 'agent'
      ? [{ target: reference.target, line: reference.line, column: reference.column, isWorker: false }]
      : [],
  );
}

function workerCalls({ card, place }: CardReading, agents: readonly string[], settings: Settings): readonly Call[] {
  if (card?.type !== 'agent' || !Object.hasOwn(settings.toolsets, card.name)) return [];
  const { callable, tools, onlyAsTools } = workerPolicy(card, agents, settings);
  const workers = new Set([...callable, ...tools, ...onlyAsTools].filter((name) => !card.agents.includes(name)));
  return [...workers].map((target) => ({ target, line: place.line, column: place.column, isWorker: true }));
}

function cycleIssue(cycle: readonly Frame[], code: 'cycle' | 'recursive-cycle'): Issue {
  const names = cycle.map(({ reading }) => reading.name);
  const [first] = cycle;
  const reference = first?.children[first.next - 1];
  const reading = first?.reading;
  if (reading === undefined || reference === undefined) throw new Error('Bug: a cycle without agents');
  const shown = names.length > maxNames ? [...names.slice(0, maxNames - 2), '…', ...names.slice(-1)] : names;
  const path = [...shown, names[0]].join(' -> ');
  if (code === 'recursive-cycle') {
    const text = `${path} is a cycle of recursive delegations: it ends at the depth limit here, and fast-agent refuses it.`;
    return issueAt(code, reading, reference, text);
  }
  const workers = cycle.flatMap((frame) =>
    frame.children[frame.next - 1]?.isWorker ? [`'toolsets.${frame.reading.name}'`] : [],
  );
  const through = workers.length > 0 ? ` It goes through workers allowed in ${workers.slice(0, 3).join(', ')}.` : '';
  const text =
    names.length === 1
      ? `Circular dependency detected: ${names[0]} -> ${names[0]}. Agent '${names[0]}' delegates to itself.${through} Remove the edge, rename the child, or mark it. ${markingAdvice}`
      : `Circular dependency detected: ${path}.${through} Remove one of these edges, or mark each of them. ${markingAdvice}`;
  return issueAt(code, reading, reference, text);
}

const markingAdvice =
  "With 'recursive: true' under 'delegations.<caller>.<callee>' in callboard.yaml the cycle ends at the depth limit.";
