import type { Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { WorkerPolicy } from '@/lib/cards/worker-policy';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import type { IterationLimit } from '@/lib/runtime/request/limits';
import type { HandedModels, ResolvedModel } from '@/lib/runtime/request/resolve-model';
import type { Surface } from '@/lib/runtime/surface/route';
import type { WaitingRoom } from './setups';

/** What all instances of a card share in one run. It is computed once. */
export interface AgentPlan {
  readonly card: AgentCard;
  /** Says which workers the agent may call. */
  readonly policy: WorkerPolicy;
  /** Returns the system prompt. The prompt does not change after the first call, even if the tools do. Never rejects. */
  instruction(surface: Surface): Promise<string>;
  /** The conversation in the card's `messages` files. */
  readonly initialHistory: readonly Message[];
  readonly iterations: IterationLimit;
  /** Limits how many children of one batch run at once. */
  readonly maxParallel: number;
  /** True with `parallel_tool_calls: false`: all tool calls run one after another. */
  readonly isSequential: boolean;
  /** Returns the model of an instance. `handed` holds the models that its delegation brings. */
  modelOf(handed: HandedModels | undefined): Result<ResolvedModel, RunError>;
  /** Returns the current tools. They are listed again only when a port's version has changed. Never rejects. */
  surface(): Promise<Surface>;
  /** Holds the instances that wait for servers of this card. */
  readonly waiting: WaitingRoom;
}
