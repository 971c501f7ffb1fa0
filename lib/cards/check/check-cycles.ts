import type { Issue } from '@/lib/base/issue';
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

/**
 * Reports each circle of dependencies once, at the reference of its first agent (in file order) that enters the circle.
 * Depth-first with a stack of its own, so that a chain of any length is walked. A circle all of whose delegations are
 * marked `recursive` ends at the depth limit and is only a warning: fast-agent refuses it.
 */
export function checkCycles(cards: readonly CardReading[], settings: Settings): Issue[] {
  const byName = new Map<string, CardReading>();
  for (const reading of cards) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  const isRecursive: IsRecursive = (parent, child) => delegationOptions(settings, parent, child).recursive === true;
  const circles = circlesIn(byName);
  const marked = circles.filter((circle) => circle.every((frame) => isMarked(frame, isRecursive)));
  if (marked.length === 0) return circles.map((circle) => cycleIssue(circle, 'cycle'));
  // Circles share edges: without the marked ones of a circle that is allowed, another may still be closed by its own.
  const errors = circles.filter((circle) => !marked.includes(circle));
  const known = new Set(errors.flatMap((circle) => circle.map(edgeOf)));
  return [
    ...marked.map((circle) => cycleIssue(circle, 'recursive-cycle')),
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
  return [...byName.values()].flatMap((reading) =>
    frameOf(reading).children.flatMap((reference) => {
      const { name } = reading;
      const { target } = reference;
      if (isRecursive(name, target) || known.has(`${name}\n${target}`) || !leadsTo(byName, target, name)) return [];
      const text = `Circular dependency detected: '${name}' delegates to '${target}', which leads back to it. Mark every delegation of the circle 'recursive', or remove one.`;
      return [issueAt('cycle', reading, reference, text)];
    }),
  );
}

function leadsTo(byName: ReadonlyMap<string, CardReading>, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const name of reached) {
    if (name === to) return true;
    const reading = byName.get(name);
    for (const { target } of reading ? frameOf(reading).children : []) reached.add(target);
  }
  return false;
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
    if (finished.has(root)) continue;
    const stack: Frame[] = [frameOf(root)];
    const depth = new Map([[root, 0]]);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
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
  const children = reading.references.filter((reference): reference is AgentReference => reference.kind === 'agent');
  return { reading, children, next: 0 };
}

function cycleIssue(circle: readonly Frame[], code: 'cycle' | 'recursive-cycle'): Issue {
  const names = circle.map(({ reading }) => reading.name);
  const [first] = circle;
  const reference = first?.children[first.next - 1];
  const reading = first?.reading;
  if (reading === undefined || reference === undefined) throw new Error('Bug: a circle without agents');
  const path = [...names, names[0]].join(' -> ');
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
