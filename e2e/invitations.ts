const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;
const asks = (to: string) => `  ${to}:
    - turns:
        - text: ${to} should come.
          calls: [{ tool: send, arguments: { to: ${to}, text: Please come } }]
        - text: "{{result}}"
`;
const delegates = (name: string, ...children: string[]) => `  ${name}:
    - turns:
        - calls:
${children.map((child) => `            - { tool: agent__${child}, arguments: { text: invite } }\n`).join('')}        - text: "{{result}}"
`;

/** Two agents at the third level ask before they send. */
export const invitations = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [office]\n'),
  'agent-cards/office.md': card('office', 'agents: [team]\n'),
  'agent-cards/team.md': card('team', 'agents: [ann, bob]\n'),
  'agent-cards/ann.md': card('ann', 'function_tools: [../tools.ts:send]\n'),
  'agent-cards/bob.md': card('bob', 'function_tools: [../tools.ts:send]\n'),
  'tools.ts':
    'export function send(args: { to: string; text: string }) {\n  return "sent to ".concat(args.to, ": ", args.text);\n}\n',
  'callboard.yaml': `version: 1
entry: lead
approvals:
  hold_s: 0
  rules:
    - { tools: [send], effect: ask }
scripts:
${delegates('lead', 'office')}${delegates('office', 'team')}${delegates('team', 'ann', 'bob')}${asks('ann')}${asks('bob')}`,
};
