import type { Issue } from '@/lib/base/issue';
import { oncePer } from '@/lib/base/once-per';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { CardReading } from '@/lib/cards/read/read-card';
import type { Reference } from '@/lib/cards/references';
import type { Settings } from '@/lib/cards/settings';
import { issueAt } from './check-references';

type AgentReference = Extract<Reference, { kind: 'agent' }>;

interface Frame {
  readonly reading: CardReading;
  readonly children: readonly AgentReference[];
  next: number;
}

type IsRecursive = (parent: string, child: string) => boolean;

/** Of more circles than these, nobody reads the rest; all agents calling each other have more circles than calls. */
const maxCircles = 200;
/** Names of a longer circle are shown from its beginning and its end. */
const maxNames = 12;

/**
 * Reports circles of dependencies, each once, at the reference of its first agent (in file order) that enters the circle.
 * Depth-first with a stack of its own, so that a chain of any length is walked. A circle all of whose delegations are
 * marked `recursive` ends at the depth limit and is only a warning: fast-agent refuses it.
 */
export function checkCycles(cards: readonly CardReading[], settings: Settings): Issue[] {
  const byName = new Map<string, CardReading>();
  for (const reading of cards) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  const isRecursive: IsRecursive = (parent, child) => delegationOptions(settings, parent, child).recursive === true;
  const circles = circlesIn(byName);
  const marked = new Set(circles.filter((circle) => circle.every((frame) => isMarked(frame, isRecursive))));
  if (marked.size === 0) return circles.map((circle) => cycleIssue(circle, 'cycle'));
  // Circles share edges: without the marked ones of a circle that is allowed, another may still be closed by its own.
  const errors = circles.filter((circle) => !marked.has(circle));
  const known = new Set(errors.flatMap((circle) => circle.map(edgeOf)));
  return [
    ...[...marked].map((circle) => cycleIssue(circle, 'recursive-cycle')),
    ...errors.map((circle) => cycleIssue(circle, 'cycle')),
    ...hiddenCircles(byName, isRecursive, known),
  ];
}

/** Delegations that are not marked, lie on a circle all the same, and are in none that was reported. */
function hiddenCircles(
  byName: ReadonlyMap<string, CardReading>,
  isRecursive: IsRecursive,
  known: ReadonlySet<string>,
): Issue[] {
  const knots = knotsOf(byName);
  return [...byName.values()].flatMap((reading) =>
    frameOf(reading).children.flatMap((reference) => {
      const { name } = reading;
      const { target } = reference;
      // An edge lies on a circle exactly where both its ends are in one knot.
      const isOnCircle = knots.get(name) !== undefined && knots.get(name) === knots.get(target);
      if (!isOnCircle || isRecursive(name, target) || known.has(`${name}\n${target}`)) return [];
      const text = `Circular dependency detected: '${name}' delegates to '${target}', which leads back to it. Mark every delegation of the circle 'recursive', or remove one.`;
      return [issueAt('cycle', reading, reference, text)];
    }),
  );
}

/**
 * Agents that can all reach each other have one number: the strongly connected components, by Tarjan's algorithm (Depth-first
 * search and linear graph algorithms, 1972), in the time of one walk.
 */
function knotsOf(byName: ReadonlyMap<string, CardReading>): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const knots = new Map<string, number>();
  const path: string[] = [];
  for (const root of byName.values()) {
    if (order.has(root.name)) continue;
    const stack: Frame[] = [frameOf(root)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { name } = top.reading;
      if (!order.has(name)) {
        lowest.set(name, order.size);
        order.set(name, order.size);
        path.push(name);
      }
      const child = byName.get(top.children[top.next++]?.target ?? '');
      if (child !== undefined && !order.has(child.name)) stack.push(frameOf(child));
      else if (child !== undefined && !knots.has(child.name)) lower(lowest, name, order.get(child.name));
      else if (top.next > top.children.length) {
        stack.pop();
        const above = stack.at(-1)?.reading.name;
        if (above !== undefined) lower(lowest, above, lowest.get(name));
        if (lowest.get(name) !== order.get(name)) continue;
        for (let member = path.pop(); member !== undefined; member = path.pop()) {
          knots.set(member, order.get(name) ?? 0);
          if (member === name) break;
        }
      }
    }
  }
  return knots;
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

function circlesIn(byName: ReadonlyMap<string, CardReading>): (readonly Frame[])[] {
  const finished = new Set<CardReading>();
  const circles: (readonly Frame[])[] = [];
  for (const root of byName.values()) {
    if (circles.length >= maxCircles) break;
    if (finished.has(root)) continue;
    const stack: Frame[] = [frameOf(root)];
    const depth = new Map([[root, 0]]);
    for (let top = stack.at(-1); top !== undefined && circles.length < maxCircles; top = stack.at(-1)) {
      const reference = top.children[top.next++];
      if (reference === undefined) {
        stack.pop();
        depth.delete(top.reading);
        finished.add(top.reading);
        continue;
      }
      const child = byName.get(reference.target);
      const entry = child && depth.get(child);
      if (entry !== undefined) circles.push(stack.slice(entry).map((frame) => ({ ...frame })));
      else if (child !== undefined && !finished.has(child)) {
        depth.set(child, stack.length);
        stack.push(frameOf(child));
      }
    }
  }
  return circles;
}

function frameOf(reading: CardReading): Frame {
  return { reading, children: childrenOf(reading), next: 0 };
}

const childrenOf = oncePer((reading: CardReading) =>
  reading.references.filter((reference): reference is AgentReference => reference.kind === 'agent'),
);

function cycleIssue(circle: readonly Frame[], code: 'cycle' | 'recursive-cycle'): Issue {
  const names = circle.map(({ reading }) => reading.name);
  const [first] = circle;
  const reference = first?.children[first.next - 1];
  const reading = first?.reading;
  if (reading === undefined || reference === undefined) throw new Error('Bug: a circle without agents');
  const shown = names.length > maxNames ? [...names.slice(0, maxNames - 2), '…', ...names.slice(-1)] : names;
  const path = [...shown, names[0]].join(' -> ');
  if (code === 'recursive-cycle') {
    const text = `${path} is a circle of recursive delegations: it ends at the depth limit here, and fast-agent refuses it.`;
    return issueAt(code, reading, reference, text);
  }
  const text =
    names.length === 1
      ? `Circular dependency detected: ${names[0]} -> ${names[0]}. Agent '${names[0]}' delegates to itself. Remove the edge or rename the child.`
      : `Circular dependency detected: ${path}. Remove one of these edges.`;
  return issueAt(code, reading, reference, text);
}
