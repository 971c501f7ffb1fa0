import type { CardType } from '@/lib/cards/card';
import type { CardContext } from './card-context';
import { hasField } from './card-fields';

/** Fields that Callboard does not use: their effect in fast-agent, and the next step. */
const without: Readonly<Record<string, string>> = {
  harness_tools: "it gives an agent tools of fast-agent's own program. Remove it, or keep it for fast-agent.",
  subagents:
    "it gives an agent fast-agent's one-shot 'subagent' tool; children are named in 'agents'. Remove it, or keep it for fast-agent.",
  subagent_model:
    "it is the model of fast-agent's 'subagent' tool; a child's model stands in its own card. Remove it, or keep it for fast-agent.",
  save_trajectory:
    'it writes a trajectory file; every run is recorded here and can be exported. Remove it, or keep it for fast-agent.',
  commands: "it adds commands to fast-agent's terminal. Remove it, or keep it for fast-agent.",
  variables: 'nothing reads it, neither here nor in fast-agent. Remove it.',
  cwd: "it is where fast-agent's shell starts; here it starts in the project's folder. Remove it, or keep it for fast-agent.",
  api_key:
    'everyone who sees the project sees the card. Remove the key here, and set it in Settings, Models and keys; a command line takes it from its environment.',
};

/**
 * Reports a warning for each field that has no effect in Callboard. An invalid value has its own issue.
 */
export function reportFieldsWithoutEffect(card: CardContext, type: CardType): void {
  for (const [field, why] of Object.entries(without)) {
    const value = card.value[field];
    if (value === undefined || value === null || value === false || !hasField(type, field)) continue;
    if (card.report.faulty.has(field)) continue;
    card.report.reportKey('no-effect', [field], `'${field}' has no effect in Callboard: ${why}`);
  }
}
