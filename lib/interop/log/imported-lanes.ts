import { brandAs, type CallId, type CorrelationId, type InstancePath, type StepKey } from '@/lib/base/ids';
import { cutText } from '@/lib/base/well-formed';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import type { ImportedStep } from './imported-step';

/** UTF-16 units of a name within a path, and of a path that the source gives. Each event has the path of its instance. */
const mostOfName = 100;
const mostOfPath = 2_000;

/** An instance while its steps are written. */
export interface Lane {
  readonly path: InstancePath;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  readonly model: string | undefined;
  /** The number of its model calls, tool calls, hooks and setups so far. */
  readonly numbers: { m: number; t: number; h: number; s: number };
  /** The number of its children so far, by name. */
  readonly children: Map<string, number>;
  usage: Usage;
  /** True if its usage is what it reports, because the trace does not have its model calls. */
  isReported: boolean;
  /** What the instances inside of it used. */
  below: Usage;
  /** The instance that it is inside of. */
  readonly above: Lane | undefined;
  /** The text of the last answer of its models. */
  lastAnswer: string | undefined;
}

/** The tool call that a step is inside of. */
export interface Around {
  readonly step: StepKey;
  readonly callId: CallId;
  readonly correlationId: CorrelationId;
  samples: number;
  hooks: number;
}

/** Names the instances of an imported run. No two have the same path. */
export class ImportedLanes {
  private readonly paths = new Set<string>();

  constructor(private readonly correlationId: CorrelationId) {}

  /** Makes the lane of an instance. `above` is the one that it is inside of, and `around` the call that made it. */
  laneFor(step: ImportedStep, above: Lane | undefined, around: Around | undefined): Lane {
    const path = this.pathFor(step, above);
    this.paths.add(path);
    const own = above === undefined ? this.correlationId : this.correlationOf(step.id);
    return {
      path: brandAs<InstancePath>(path),
      correlationId: around?.correlationId ?? own,
      depth: above === undefined ? 0 : above.depth + 1,
      model: step.model,
      numbers: { m: 0, t: 0, h: 0, s: 0 },
      children: new Map(),
      usage: noUsage,
      isReported: false,
      below: noUsage,
      above,
      lastAnswer: undefined,
    };
  }

  correlationOf(id: string): CorrelationId {
    return brandAs<CorrelationId>(`${this.correlationId}:${id}`);
  }

  /** Returns the path that the source gives, or the first free number below the instance above. */
  private pathFor({ name: given, path: known }: ImportedStep, above: Lane | undefined): string {
    if (known !== undefined && known.length <= mostOfPath && !this.paths.has(known)) return known;
    const name = cutText(given, mostOfName).replaceAll('/', '%2F') || 'agent';
    if (above === undefined) return name;
    for (;;) {
      const number = (above.children.get(name) ?? 0) + 1;
      above.children.set(name, number);
      const path = `${above.path}/${name}[${number}]`;
      if (!this.paths.has(path)) return path;
    }
  }
}

/** Returns the last name of a path, as people read it. */
export function decodedName(path: InstancePath): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll('%2F', '/');
}
