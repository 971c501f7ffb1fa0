import type { CardType } from '@/lib/cards/card';
import { cardTypes } from '@/lib/cards/read/card-fields';
import { agentFields } from './agent-fields';
import type { FieldGroup } from './field-kinds';
import { formatGroup, identityGroup, roleGroup } from './parameter-fields';
import {
  chainFields,
  evaluatorFields,
  iterativePlannerFields,
  makerFields,
  orchestratorFields,
  parallelFields,
  remoteFields,
  routerFields,
} from './workflow-fields';

const ownFields: Readonly<Record<CardType, readonly FieldGroup[]>> = {
  agent: agentFields,
  chain: chainFields,
  parallel: parallelFields,
  evaluator_optimizer: evaluatorFields,
  router: routerFields,
  orchestrator: orchestratorFields,
  iterative_planner: iterativePlannerFields,
  MAKER: makerFields,
  a2a: remoteFields,
};

const who = identityGroup(cardTypes);

/** Returns every field of a type of card in groups, but its name and instruction, which the form has above and between. */
export function cardFields(type: CardType): readonly FieldGroup[] {
  const groups = ownFields[type];
  // What a workflow does comes from its members, what an agent does from its instruction.
  const [first, ...others] = type === 'agent' ? [who, ...groups] : groups;
  return [
    ...(first === undefined ? [] : [first]),
    ...(type === 'agent' ? [] : [who]),
    ...others,
    roleGroup,
    formatGroup,
  ];
}
