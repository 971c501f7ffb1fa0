import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { folderBreaches } from './folder-breaches';
import { type PolicyDemand, policyRuleBody, ruleSentence } from './rule';

const files = {
  'lead.md':
    '---\nname: lead\nmodel: gpt-4o\nservers: [mail, web]\nshell: true\nfunction_tools: [tools.py:send]\n---\nLead.\n',
  'far.md': '---\nname: far\ntype: a2a\nurl: https://far.example.net/a2a\n---\n',
  'tools.py': 'def send():\n    return 1\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    mail: { command: npx, args: ["-y", "@team/mail"] }\n    web: { url: "https://tools.example.org/mcp" }\n',
};

function breaches(demand: PolicyDemand, folder = folderOf(files)) {
  const parsed = readFolder(folder);
  const rule = { id: 'r', name: 'House rule', level: 'block', demand } as const;
  return folderBreaches([rule], folder, parsed, withSecrets(parsed, folder).config).map(
    ({ message, file, line }) =>
      `${file}:${line} ${message.replace("The rule 'House rule' of your team is broken: ", '')}`,
  );
}

describe('a rule that a folder breaks before anything runs', () => {
  it('names servers and remote agents that are not on the list', () => {
    expect(breaches({ kind: 'servers', allow: ['nothing'] })).toEqual([
      "fast-agent.yaml:3 the server 'mail' (npx -y @team/mail) is not on its list.",
      "fast-agent.yaml:4 the server 'web' (tools.example.org) is not on its list.",
      "far.md:4 the remote agent 'far' (far.example.net) is not on its list.",
    ]);
    expect(breaches({ kind: 'servers', allow: ['npx -y @team/*', '*.example.*'] })).toEqual([]);
    expect(breaches({ kind: 'servers', allow: ['npx', '*.example.*'] })).toHaveLength(1);
  });

  it('names models that are not on the list, by their name with the provider', () => {
    expect(breaches({ kind: 'models', allow: ['anthropic.*'] })).toEqual([
      "lead.md:3 agent 'lead' uses the model 'gpt-4o', which is not on its list.",
    ]);
    expect(breaches({ kind: 'models', allow: ['openai.*'] })).toEqual([]);
  });

  it('names shells and Python', () => {
    expect(breaches({ kind: 'no_shell' })).toEqual(["lead.md:5 agent 'lead' has a shell."]);
    expect(breaches({ kind: 'no_python' })).toEqual([
      'tools.py:1 the project has tools or hooks in Python (tools.py).',
    ]);
  });

  it('names hidden characters and names that look alike, however many other issues a file has', () => {
    const folder = folderOf({
      ...files,
      'guard.ts': '// note\rrun();\n',
      'le\u0430d.md': files['lead.md'].replace('lead', 'le\u0430d'),
    });
    expect(breaches({ kind: 'no_hidden_characters' }, folder)).toEqual([
      expect.stringMatching(/^guard\.ts:1 in 'guard\.ts': The text has U\+000D \(carriage return\)/),
      expect.stringMatching(
        /^le\u0430d\.md:1 in 'le\u0430d\.md': The file 'le\u0430d\.md' \(U\+0430\) looks like the file 'lead\.md'/,
      ),
      expect.stringMatching(/^le\u0430d\.md:2 .* The agent 'le\u0430d' \(U\+0430\) looks like the agent 'lead'/),
    ]);
    expect(breaches({ kind: 'no_hidden_characters' })).toEqual([]);
  });

  it('leaves rules about calls to the calls', () => {
    expect(breaches({ kind: 'approval', tools: ['*'] })).toEqual([]);
  });
});

describe('a rule', () => {
  it('says in a sentence what it demands', () => {
    const hook = { kind: 'hook', tools: ['*'], writes: true, agents: ['a*'], hook: 'h.ts:f', place: 'first' } as const;
    expect(ruleSentence({ ...hook, tools: ['*'], agents: ['a*'] })).toBe(
      'Calls of all tools that may write by a* must go through the hook h.ts:f as the first hook, and fail when it fails.',
    );
    expect(ruleSentence({ kind: 'approval', tools: ['send', 'mail__*'], sources: ['mcp'] })).toBe(
      'Calls of send, mail__* (mcp) must be approved by a person.',
    );
  });

  it('is refused without a name, without tools, and with a demand that nobody knows', () => {
    const body = { name: 'A', level: 'block', demand: { kind: 'approval', tools: ['*'] } };
    expect(policyRuleBody.safeParse(body).success).toBe(true);
    const broken = [
      { ...body, name: ' ' },
      { ...body, demand: { kind: 'approval', tools: [] } },
      { ...body, demand: { kind: 'no_fun' } },
      { ...body, demand: { kind: 'no_shell', more: 1 } },
      { ...body, level: 'hint' },
    ];
    expect(broken.map((each) => policyRuleBody.safeParse(each).success)).toEqual([false, false, false, false, false]);
  });
});
