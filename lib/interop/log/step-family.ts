import type { Json, JsonObject } from '@/lib/base/json';
import { foldedSpansKey } from '@/lib/trace/folded-spans';
import type { ImportedStep } from './imported-step';

/** The steps of a trace by id, and which are inside of which, while they are arranged. */
export class StepFamily {
  readonly steps = new Map<string, ImportedStep>();
  /** Ids of steps that are or were inside of a step. */
  private readonly inside = new Map<string, Set<string>>();
  private readonly folded = new Map<string, Json[]>();

  constructor(steps: readonly ImportedStep[]) {
    for (const step of steps) {
      this.steps.set(step.id, step);
      this.noteInside(step);
    }
  }

  /** Returns the steps that are left, with the spans that each took in. */
  all(): readonly ImportedStep[] {
    return [...this.steps.values()].map((step) => {
      const folded = this.folded.get(step.id);
      if (folded === undefined) return step;
      const before = step.rest[foldedSpansKey];
      return {
        ...step,
        rest: { ...step.rest, [foldedSpansKey]: [...(Array.isArray(before) ? before : []), ...folded] },
      };
    });
  }

  parentOf(step: ImportedStep): ImportedStep | undefined {
    return step.parent === undefined ? undefined : this.steps.get(step.parent);
  }

  childrenOf(id: string): readonly ImportedStep[] {
    const children = [...(this.inside.get(id) ?? [])].flatMap((child) => this.steps.get(child) ?? []);
    return children.filter(({ parent }) => parent === id);
  }

  put(step: ImportedStep): void {
    this.steps.set(step.id, step);
    this.noteInside(step);
  }

  /** Moves a step into another one, or to the top. */
  move(step: ImportedStep, parent: string | undefined): void {
    this.put({ ...step, parent });
  }

  /**
   * Takes a step out of the trace and lists it among the folded spans of `host`, with all its attributes. What is inside of it
   * moves into `host`; a host that is inside of it moves up.
   */
  foldInto(host: string, step: ImportedStep): void {
    for (const child of this.childrenOf(step.id)) this.move(child, child.id === host ? step.parent : host);
    this.steps.delete(step.id);
    const list = this.folded.get(host) ?? [];
    list.push(summaryOf(step), ...(this.folded.get(step.id) ?? []));
    this.folded.set(host, list);
  }

  private noteInside({ id, parent }: ImportedStep): void {
    if (parent === undefined) return;
    const list = this.inside.get(parent) ?? new Set();
    list.add(id);
    this.inside.set(parent, list);
  }
}

function summaryOf(step: ImportedStep): Json {
  const { id, parent, original, start, end, outcome, rest, whole = {}, by } = step;
  const attributes: JsonObject = { ...rest, ...whole };
  return {
    ...{ span_id: id, ...(parent !== undefined && { parent_id: parent }), name: original, start },
    ...(end !== undefined && { ms: Number((end - start).toFixed(3)) }),
    ...(outcome !== 'ok' && { outcome }),
    ...(by !== undefined && by !== '' && { scope: by }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}
