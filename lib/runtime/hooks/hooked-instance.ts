import type { AgentSpec, Instance } from '@/lib/runtime/instance/instance';
import type { Run } from '@/lib/runtime/instance/run';
import type { Ports } from '@/lib/runtime/ports';
import type { Journal } from '@/lib/runtime/record/journal';

/** The part of an instance that its hooks need. A call can also be tried without a run (./try-hooks). */
export interface HookedInstance
  extends Pick<Instance, 'model' | 'scope' | 'messages' | 'turn' | 'phaseHooks'>,
    Readonly<{ spent: Pick<Instance['spent'], 'usage'>; state: Pick<Instance['state'], 'values'> }> {
  readonly run: Pick<Run, 'hooks' | 'recordable' | 'log'> & {
    readonly ports: Pick<Ports, 'events' | 'clock' | 'hooks'>;
    readonly journal: Pick<Journal, 'hookEnd' | 'nextAttempt'>;
  };
  readonly spec: Pick<AgentSpec, 'card' | 'name' | 'path' | 'correlationId'>;
}
