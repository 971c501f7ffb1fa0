import type { Issue } from '@/lib/base/issue';
import { issueAt } from './check-references';
import type { CardReading } from './read-card';
import type { Reference } from './references';

type AgentReference = Extract<Reference, { kind: 'agent' }>;

interface Frame {
  readonly reading: CardReading;
  readonly children: readonly AgentReference[];
  next: number;
}

/**
 * Reports each circle of dependencies once, at the reference of its first agent (in file order) that enters the circle.
 * Depth-first with a stack of its own, so that a chain of any length is walked.
 */
export function checkCycles(cards: readonly CardReading[]): Issue[] {
  const byName = new Map<string, CardReading>();
  for (const reading of cards) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  const finished = new Set<CardReading>();
  const issues: Issue[] = [];
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
      if (entry !== undefined) issues.push(cycleIssue(stack.slice(entry)));
      else if (child !== undefined && !finished.has(child)) {
        depth.set(child, stack.length);
        stack.push(frameOf(child));
      }
    }
  }
  return issues;
}

function frameOf(reading: CardReading): Frame {
  const children = reading.references.filter((reference): reference is AgentReference => reference.kind === 'agent');
  return { reading, children, next: 0 };
}

function cycleIssue(circle: readonly Frame[]): Issue {
  const names = circle.map(({ reading }) => reading.name);
  const [first] = circle;
  const reference = first?.children[first.next - 1];
  const reading = first?.reading;
  if (reading === undefined || reference === undefined) throw new Error('Bug: a circle without agents');
  const text =
    names.length === 1
      ? `Circular dependency detected: ${names[0]} -> ${names[0]}. Agent '${names[0]}' delegates to itself. Remove the edge or rename the child.`
      : `Circular dependency detected: ${[...names, names[0]].join(' -> ')}. Remove one of these edges.`;
  return issueAt('cycle', reading, reference, text);
}
