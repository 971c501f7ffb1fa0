import type { IterativePlannerCard, OrchestratorCard, RouterCard } from '@/lib/cards/card';
import type { CardContext } from './card-context';
import { readInteger, readText, refuseNull } from './fields';
import type { OwnFields } from './own-fields';
import {
  readApiKey,
  readMembers,
  readMessages,
  readModel,
  readModelFields,
  readParams,
  readServerFields,
} from './read-model-fields';

/** Reads the card types whose model chooses among agents. */

export function readRouter(card: CardContext): OwnFields<RouterCard> {
  return {
    type: 'router',
    agents: readMembers(card, 'agents'),
    ...readModelFields(card, { useHistory: false }),
    ...readServerFields(card),
  };
}

export function readOrchestrator(card: CardContext): OwnFields<OrchestratorCard> {
  refuseNull(card, ['plan_type', 'plan_iterations']);
  const planType = readText(card, 'plan_type') ?? 'full';
  if (planType !== 'full' && planType !== 'iterative') {
    // fast-agent ignores the field, so this is only a note.
    const text = `'plan_type' is '${planType}', which is not a plan type. Write full or iterative.`;
    card.report.report('plan-type-unknown', ['plan_type'], text);
  } else if (card.value.plan_type === 'full') {
    const text =
      "'plan_type: full' plans one step at a time, like iterative: fast-agent does so too. Nothing depends on it.";
    card.report.report('plan-type-ignored', ['plan_type'], text);
  }
  return {
    type: 'orchestrator',
    agents: readMembers(card, 'agents'),
    ...readModelFields(card, { useHistory: false }),
    planType,
    planIterations: readInteger(card, 'plan_iterations') ?? 5,
  };
}

export function readIterativePlanner(card: CardContext): OwnFields<IterativePlannerCard> {
  refuseNull(card, ['plan_iterations']);
  return {
    type: 'iterative_planner',
    agents: readMembers(card, 'agents'),
    model: readModel(card),
    requestParams: readParams(card),
    apiKey: readApiKey(card),
    planIterations: readInteger(card, 'plan_iterations') ?? -1,
    messages: readMessages(card),
  };
}
