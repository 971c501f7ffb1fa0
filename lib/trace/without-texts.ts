import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { type SlimEvent, slimEvent } from './slim-event';

type Of<K extends RunEvent['kind']> = Extract<SlimEvent, { kind: K }>;

/** What takes the place of a text. */
export const withheld = 'This link does not show texts.';

/** What takes the place of the name of a person, an artifact or a session. */
const unnamed = '…';

/**
 * Returns an event for a link that shows no texts: times, states, counts, and the names of agents, tools, hooks, servers and models. Each
 * field that is kept is written here, so that a new one is withheld. `correlationId` is that of the run, which its caller may have chosen.
 */
export function withoutTexts(event: RunEvent, correlationId: string): SlimEvent {
  const slim = slimEvent(event);
  const idOf = (id: string) => (id === correlationId ? unnamed : id) as Of<'run.started'>['correlationId'];
  const { seq, at } = slim;
  switch (slim.kind) {
    case 'run.started': {
      const { leftOut: _, ...rest } = slim;
      return { ...rest, correlationId: idOf(slim.correlationId) };
    }
    case 'run.resumed':
      return { seq, at, kind: slim.kind, worker: unnamed };
    case 'run.suspended':
      return { seq, at, kind: slim.kind, open: slim.open };
    case 'run.finished':
      return { ...slim, error: withoutMessage(slim.error) };
    case 'url.fetched':
      return { seq, at, kind: slim.kind, url: unnamed };
    case 'instance.queued':
      return queuedWithoutTexts(slim, idOf);
    case 'instance.ended':
      return { ...slim, error: withoutMessage(slim.error) };
    case 'model.ended':
      return { ...slim, error: withoutMessage(slim.error) };
    case 'tool.started':
      return { ...slim, correlationId: idOf(slim.correlationId) };
    case 'hook.started':
      return { ...slim, hook: hookName(slim.hook) };
    case 'hook.ended':
      return { ...slim, error: slim.error === undefined ? undefined : withheld };
    case 'log':
      return logWithoutTexts(slim);
    case 'setup.started':
    case 'setup.ended':
      return setupWithoutTexts(slim);
    case 'person.asked':
    case 'person.answered':
      return waitWithoutTexts(slim);
    case 'workflow.decided': {
      const { kind, path, step, decision } = slim;
      return { seq, at, kind, path, step, decision: decisionWithoutTexts(decision) };
    }
    case 'groups.activated': {
      const { kind, path, step, groups } = slim;
      return { seq, at, kind, path, step, groups };
    }
    case 'state.changed':
      return { ...slim, reason: undefined };
    case 'artifact.saved':
      return { ...slim, name: unnamed, mimeType: unnamed };
    case 'session.opened':
    case 'session.saved':
      return { ...slim, sessionId: unnamed };
    case 'instance.started':
    case 'model.started':
    case 'tool.ended':
    case 'tool.returned':
    case 'history.merged':
    case 'agent.created':
      return slim;
  }
}

/** Returns an error with its code alone. */
export function withoutMessage(error: RunError | undefined): RunError | undefined {
  return error && { code: error.code, message: withheld };
}

function queuedWithoutTexts(
  event: Of<'instance.queued'>,
  idOf: (id: string) => Of<'run.started'>['correlationId'],
): SlimEvent {
  const { seq, at, kind, path, agentName, instanceName, parent, callId, parentStep, depth, attempt, forwarded } = event;
  return {
    ...{ seq, at, kind, path, agentName, instanceName, parent, callId, parentStep, depth, attempt, forwarded },
    correlationId: idOf(event.correlationId),
    ...(event.parentCorrelationId !== undefined && { parentCorrelationId: idOf(event.parentCorrelationId) }),
  };
}

function logWithoutTexts({ seq, at, kind, level, code, path, serverName, step, progress }: Of<'log'>): SlimEvent {
  return { seq, at, kind, level, code, message: withheld, path, serverName, step, progress };
}

/** The name of a setup of code is that of its files. */
function setupWithoutTexts(event: Of<'setup.started' | 'setup.ended'>): SlimEvent {
  const { seq, at, path, step } = event;
  if (event.kind === 'setup.ended') {
    return { seq, at, kind: event.kind, path, step, error: withoutMessage(event.error) };
  }
  const { kind, what, name } = event;
  return { seq, at, kind, path, step, what, name: what === 'server' ? name : what };
}

function waitWithoutTexts(event: Of<'person.asked' | 'person.answered'>): SlimEvent {
  const { seq, at, path, step, item } = event;
  if (event.kind === 'person.asked') {
    return { seq, at, kind: event.kind, path, step, item, what: event.what, sentence: withheld };
  }
  const { kind, outcome, answer } = event;
  return {
    ...{ seq, at, kind, path, step, item, outcome },
    ...(answer && { answer: { decision: answer.decision, by: unnamed } }),
  };
}

/** A hook is named by its file and its function: `hooks/limits.py:check`. */
function hookName(hook: string): string {
  const name = hook.slice(hook.lastIndexOf(':') + 1);
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : 'hook';
}

function decisionWithoutTexts(decision: WorkflowDecision): WorkflowDecision {
  switch (decision.what) {
    case 'route': {
      const { what, agent, candidates } = decision;
      return { what, agent, confidence: unnamed, candidates };
    }
    case 'rating': {
      const { what, attempt, needsImprovement, outcome } = decision;
      const texts = { rating: unnamed, feedback: withheld, focusAreas: [], minRating: unnamed };
      return { what, attempt, needsImprovement, outcome, ...texts };
    }
    case 'plan': {
      const { what, iteration, tasks, isComplete } = decision;
      const agents = tasks.map(({ agent }) => ({ agent, description: withheld }));
      return { what, iteration, description: withheld, tasks: agents, isComplete };
    }
    case 'plan_end': {
      const { what, reason, steps } = decision;
      return { what, reason, steps };
    }
    case 'vote': {
      const { what, sample, votes, margin, discarded } = decision;
      return { what, sample, answer: withheld, votes, margin, ...(discarded !== undefined && { discarded: withheld }) };
    }
    case 'votes': {
      const { what, samples, discarded, margin, k, votes, outcome } = decision;
      const counts = votes.map(({ count }) => ({ answer: unnamed, count }));
      return { what, samples, discarded, margin, k, votes: counts, outcome };
    }
    case 'remote_task':
      return { what: decision.what, taskId: unnamed, state: decision.state };
  }
}
