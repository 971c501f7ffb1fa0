import { brandAs, type EpochMs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import type { SeededRandom } from './seeded-random';

/** What an instance of a planned run does, one step after the other. Tests change a plan and compare the runs. */
export interface InstancePlan {
  readonly agent: string;
  readonly input: string;
  readonly answer: string;
  readonly steps: readonly StepPlan[];
}

export interface StepPlan {
  readonly kind: 'model' | 'tool';
  readonly name: string;
  readonly asked: string;
  readonly answered: string;
  readonly ms: number;
  readonly fails?: boolean;
  /** Makes the step a delegation. */
  readonly child?: InstancePlan;
}

/** Makes the events of a run that ended, 1 ms between two that take no time. */
export function eventsOfPlan(root: InstancePlan): RunEvent[] {
  const log = new PlannedLog();
  log.add({
    kind: 'run.started',
    runId: brandAs('planned'),
    correlationId: brandAs('planned'),
    entryAgent: root.agent,
    message: root.input,
    scripted: true,
  });
  log.instance(root, root.agent, undefined);
  log.add({ kind: 'run.finished', status: 'completed', answer: root.answer, usage: noUsage });
  return log.events;
}

class PlannedLog {
  readonly events: RunEvent[] = [];
  private readonly counts = new Map<string, number>();
  private ms = 1_780_000_000_000;

  add(body: EventBody): void {
    this.ms += 1;
    this.events.push({ seq: this.events.length + 1, at: brandAs<EpochMs>(this.ms), ...body });
  }

  instance(
    plan: InstancePlan,
    name: string,
    call: { readonly above: string; readonly step: string } | undefined,
  ): void {
    const text = call === undefined ? name : `${call.above}/${name}`;
    const path = brandAs<InstancePath>(text);
    this.add({
      kind: 'instance.queued',
      path,
      agentName: plan.agent,
      instanceName: name,
      parent: call === undefined ? undefined : brandAs(call.above),
      parentStep: call === undefined ? undefined : brandAs(call.step),
      correlationId: brandAs(`c ${text}`),
      depth: text.split('/').length - 1,
    });
    this.add({ kind: 'instance.started', path, input: plan.input, model: 'script' });
    const models = plan.steps.filter(({ kind }) => kind === 'model').length;
    for (const [n, step] of plan.steps.entries()) {
      if (step.kind === 'model') this.model(path, n + 1, step);
      else this.tool(path, n + 1, step);
    }
    const usage = { ...noUsage, inputTokens: models * 10, outputTokens: models * 5, modelCalls: models };
    this.add({ kind: 'instance.ended', path, status: 'completed', answer: plan.answer, usage });
  }

  private model(path: InstancePath, n: number, { name, asked, answered, ms }: StepPlan): void {
    const step = brandAs<StepKey>(`${path}#m${n}`);
    const request = { instruction: asked, tools: [], added: [{ input: path }] };
    this.add({ kind: 'model.started', path, step, attempt: 1, model: name, messageCount: 1, tools: [], request });
    this.ms += ms;
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: answered }],
      toolCalls: [],
      stopReason: 'end_turn',
    } as const;
    const usage = { ...noUsage, inputTokens: 10, outputTokens: 5, modelCalls: 1 };
    this.add({ kind: 'model.ended', path, step, message, usage, requests: 1 });
  }

  private tool(path: InstancePath, n: number, { name, asked, answered, ms, fails, child }: StepPlan): void {
    const step = brandAs<StepKey>(`${path}#t${n}`);
    const callId = brandAs<EventCall>(`call-${this.events.length}`);
    const source = child === undefined ? 'mcp' : 'agent';
    this.add({
      kind: 'tool.started',
      path,
      step,
      attempt: 1,
      callId,
      toolName: name,
      source,
      arguments: { text: asked },
      correlationId: brandAs('planned'),
    });
    if (child !== undefined) {
      const key = `${path}/${child.agent}`;
      const count = (this.counts.get(key) ?? 0) + 1;
      this.counts.set(key, count);
      this.instance(child, `${child.agent}[${count}]`, { above: path, step });
    }
    this.ms += ms;
    const result = { content: [{ type: 'text', text: answered } as const], isError: fails === true };
    this.add({ kind: 'tool.ended', path, step, callId, result });
  }
}

type EventCall = Extract<EventBody, { kind: 'tool.started' }>['callId'];

/** Makes a plan of at most `steps` steps. Few names and arguments are used, so that many steps are equal. */
export function randomPlan(random: SeededRandom, steps: number): InstancePlan {
  let left = steps;
  const instance = (agent: string, depth: number): InstancePlan => {
    const count = Math.min(left, 1 + random.below(8));
    left -= count;
    const own = Array.from({ length: count }, () => step(depth));
    return { agent, input: `input ${random.below(3)}`, answer: `answer ${random.below(3)}`, steps: own };
  };
  const step = (depth: number): StepPlan => {
    const plan = { asked: `${random.below(4)}`, answered: `${random.below(4)}`, ms: random.below(50) };
    const which = random.below(10);
    if (which < 3) return { kind: 'model', name: 'script', ...plan };
    if (which < 7 || depth > 3 || left <= 0) {
      return { kind: 'tool', name: random.pick(['read', 'write', 'search']), ...plan, fails: random.below(10) === 0 };
    }
    const agent = random.pick(['writer', 'critic']);
    return { kind: 'tool', name: `agent__${agent}`, ...plan, child: instance(agent, depth + 1) };
  };
  return instance('lead', 0);
}
