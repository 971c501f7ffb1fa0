import type { Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { WorkerPolicy } from '@/lib/cards/worker-policy';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import type { IterationLimit } from '@/lib/runtime/request/limits';
import type { HandedModels, ResolvedModel } from '@/lib/runtime/request/resolve-model';
import type { Surface } from '@/lib/runtime/surface/route';
import type { WaitingRoom } from './setups';

/** What is the same for every instance of a card in one run, worked out once. */
export interface AgentPlan {
  readonly card: AgentCard;
  /** Which workers it may call. */
  readonly policy: WorkerPolicy;
  /** The system prompt; it stays as it is from the first call on, whatever later becomes of the tools. Never rejects. */
  instruction(surface: Surface): Promise<string>;
  /** The conversation of the card's `messages` files. */
  readonly initialHistory: readonly Message[];
  readonly iterations: IterationLimit;
  /** Children of one batch that are under way at once. */
  readonly maxParallel: number;
  /** `parallel_tool_calls: false`: one call after another, whatever its tool. */
  readonly isSequential: boolean;
  /** The model of an instance, by what its delegation hands down. */
  modelOf(handed: HandedModels | undefined): Result<ResolvedModel, RunError>;
  /** The tools as they are now: listed again only when a port's version has changed. Never rejects. */
  surface(): Promise<Surface>;
  /** Instances that wait for servers of this card. */
  readonly waiting: WaitingRoom;
}
