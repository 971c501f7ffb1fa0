import type { CardContext } from '@/lib/cards/check/card-context';

/** What fast-agent does with fields that nothing here reads. */
const without: Readonly<Record<string, string>> = {
  harness_tools: "gives an agent tools of fast-agent's own program",
  subagents: "gives an agent fast-agent's one-shot 'subagent' tool; children are named in 'agents'",
  subagent_model: "is the model of fast-agent's 'subagent' tool; a child's model stands in its own card",
  save_trajectory: 'writes a trajectory file; every run is recorded here and can be exported',
  commands: "adds commands to fast-agent's terminal",
  variables: 'is read by nobody, in fast-agent neither',
  cwd: "is where fast-agent's shell starts; here it starts in the project's folder",
};

/** A warning for each field that is set and does nothing, so that nobody waits for its effect. */
export function reportFieldsWithoutEffect(card: CardContext): void {
  for (const [field, what] of Object.entries(without)) {
    const value = card.value[field];
    if (value === undefined || value === null || value === false) continue;
    const text = `'${field}' has no effect in Callboard: it ${what}. Remove it, or keep it for fast-agent.`;
    card.report.reportKey('no-effect', [field], text);
  }
}
