import type { Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { WorkerPolicy } from '@/lib/cards/worker-policy';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import type { IterationLimit } from '@/lib/runtime/request/limits';
import type { HandedModels, ResolvedModel } from '@/lib/runtime/request/resolve-model';
import type { Surface } from '@/lib/runtime/surface/route';
import type { WaitingRoom } from './setups';

/** What all instances of a card share in one run; computed once. */
export interface AgentPlan {
  readonly card: AgentCard;
  /** Which workers it may call. */
  readonly policy: WorkerPolicy;
  /** The system prompt. It does not change after the first call, even if the tools do. Never rejects. */
  instruction(surface: Surface): Promise<string>;
  /** The conversation of the card's `messages` files. */
  readonly initialHistory: readonly Message[];
  readonly iterations: IterationLimit;
  /** How many children of one batch run at once. */
  readonly maxParallel: number;
  /** `parallel_tool_calls: false`: all tool calls run one after another. */
  readonly isSequential: boolean;
  /** The model of an instance. `handed`: the models that its delegation brings. */
  modelOf(handed: HandedModels | undefined): Result<ResolvedModel, RunError>;
  /** The tools as they are now: listed again only when a port's version has changed. Never rejects. */
  surface(): Promise<Surface>;
  /** Instances that wait for servers of this card. */
  readonly waiting: WaitingRoom;
}
