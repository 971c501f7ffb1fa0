import { isRecord } from '@/lib/base/json';

/** Says in a sentence what a rule of `approvals.rules` means, as it is written. The checker reports values that are not allowed. */
export function approvalRuleWords(rule: unknown): string {
  if (!isRecord(rule)) return 'This is no rule: it needs tools and an effect.';
  const tools = namesOf(rule.tools);
  const agents = rule.agents === undefined ? undefined : namesOf(rule.agents);
  if (tools.length === 0) return 'It lists no tool, so it does nothing.';
  if (agents?.length === 0) return 'It lists no agent, so it does nothing.';
  const calls = `${tools.includes('*') ? 'all tools' : listed(tools)}${agents === undefined ? '' : ` by ${listed(agents)}`}`;
  switch (rule.effect) {
    case 'allow':
      return `Calls of ${calls} run without a question.`;
    case 'deny':
      return `Calls of ${calls} never run, and nobody is asked.`;
    case 'ask':
      return [`A person is asked before calls of ${calls} run.`, ...askWords(rule)].join(' ');
    default:
      return `Calls of ${calls}: choose what happens to them.`;
  }
}

function askWords(rule: Readonly<Record<string, unknown>>): readonly string[] {
  const { edit, on_denied: denied, limit_s: limit, at_limit: atLimit } = rule;
  return [
    ...(edit === false ? ['The arguments cannot be changed.'] : []),
    ...(denied === 'fail' ? ['A denial ends the turn of the agent.'] : []),
    ...(typeof limit === 'number'
      ? [`Without an answer in ${timeWords(limit)} ${atLimit === 'fail' ? 'the turn ends' : 'it counts as denied'}.`]
      : []),
  ];
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function timeWords(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
