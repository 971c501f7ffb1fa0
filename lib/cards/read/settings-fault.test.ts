import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const card = '---\nname: lead\ndefault: true\nagents: [expert]\n---\nLead.\n';
const expert = '---\nname: expert\n---\nExpert.\n';

/** The issues of settings below `version: 1`. */
function issuesOf(settings: string): readonly string[] {
  const files = { 'lead.md': card, 'expert.md': expert, 'callboard.yaml': `version: 1\n${settings}\n` };
  return readFolder(folderOf(files)).issues.map(({ code, message }) => `${code}: ${message}`);
}

const edge = (options: string) => `delegations: {lead: {expert: {${options}}}}\nenable_sub_agent_hitl: {lead: true}`;

/** The names of agentscope's agents as tools (its documentation, Configuration Options and Human-in-the-Loop). */
test.each([
  ['tool_name: ask_expert', 'toolName'],
  ['description: Consult the expert', 'description'],
  ['forward_events: true', 'forwardEvents'],
  ['session: addressed', 'session'],
  ['enable_hitl: true', 'enableHITL'],
])('%s is an option of a delegation; the name %s is understood', (setting, theirs) => {
  expect(issuesOf(edge(setting)).filter((issue) => issue.startsWith('settings-invalid'))).toEqual([]);
  const [ours = ''] = setting.split(':');
  if (ours === theirs) return;
  expect(issuesOf(edge(setting.replace(ours, theirs)))).toContain(
    `settings-invalid: callboard.yaml has no key 'delegations.lead.expert.${theirs}'. Did you mean '${ours}'?`,
  );
});

test.each([
  ['enableSubAgentHITL: {lead: true}', "has no key 'enableSubAgentHITL'. Did you mean 'enable_sub_agent_hitl'?"],
  ['toolGroups: {}', "has no key 'toolGroups'. Did you mean 'tool_groups'?"],
  ['delegationz: {}', "has no key 'delegationz'. Did you mean 'delegations'?"],
  ['limits: {max_paralel: 2}', "has no key 'limits.max_paralel'. Did you mean 'max_parallel'?"],
  ['nonsense: 1', "has no key 'nonsense'. Remove it."],
  [edge('session: JsonSession'), "is the string 'JsonSession': use none, addressed or reuse. Correct it."],
  [edge('enable_hitl: 1'), 'is the number 1: use true or false. Correct it.'],
  [edge('timeout_ms: soon'), "is the string 'soon': use a number. Correct it."],
  [edge('timeout_ms: 0'), 'is the number 0: use a number of more than 0. Correct it.'],
  [edge('tool_name: ""'), 'is a blank string: use a text that is not empty. Correct it.'],
  ['limits: {max_depth: 99}', 'is the number 99: use a number of at most 50. Correct it.'],
  ['limits: []', 'is a list: use a mapping. Correct it.'],
  ['scripts: {lead: [{}]}', "'scripts.lead.0.turns' is nothing: use a list. Correct it."],
  ['scripts: {lead: [{turns: []}]}', "'scripts.lead.0.turns' is a list: use a list that is not empty. Correct it."],
])('%s', (settings, sentence) => {
  const issues = issuesOf(settings);
  expect(issues.join('\n')).toContain(sentence);
  expect(issues.join('\n')).not.toMatch(/invalid (?:input|option)|expected|received/i);
});
